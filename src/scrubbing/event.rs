//! The texts and trees of an event.

use super::Run;
use crate::crypto::token;
use crate::event::accepted::{Accepted, Breadcrumb, Exception, SentFrame, User};
use crate::sabotage;
use std::borrow::Cow;

impl Run<'_> {
    /// What an event is found by stays as sent: its id, the ids of its trace, release and environment.
    pub(super) fn event(&mut self, event: &mut Accepted<'_>) {
        if sabotage::on("replace_secret_ids") && self.scrubber.clean(&event.event_id).is_some() {
            event.event_id = Cow::Owned(token::random_hex(16));
        }
        if let Some(user) = &mut event.user {
            self.user(user);
        }
        self.texts([
            &mut event.message,
            &mut event.url,
            &mut event.user_agent,
            &mut event.sent_timestamp,
            &mut event.platform,
        ]);
        if let Some(account) = &mut event.account {
            self.texts([&mut account.id, &mut account.name]);
        }
        if let Some(sdk) = &mut event.sdk {
            self.texts([&mut sdk.name, &mut sdk.version]);
        }
        let ids = [&mut event.session_id, &mut event.window_id, &mut event.replay_id];
        ids.into_iter().flatten().for_each(|id| self.id(id));
        for value in [&mut event.tags, &mut event.extra, &mut event.contexts] {
            self.value(value);
        }
        event.debug_images.iter_mut().for_each(|image| self.text(&mut image.code_file));
        event.fingerprint.iter_mut().for_each(|part| self.text(part));
        event.breadcrumbs.iter_mut().for_each(|crumb| self.breadcrumb(crumb));
        event.truncated.iter_mut().for_each(|path| self.path(path));
        let mut exception = event.exception.as_mut();
        while let Some(current) = exception {
            self.exception(current);
            exception = current.cause.as_deref_mut();
        }
    }

    fn user(&mut self, user: &mut User<'_>) {
        if !self.scrubber.keeps_addresses && user.ip_address.take().is_some() {
            self.count += 1;
        }
        self.texts([&mut user.id, &mut user.email, &mut user.username, &mut user.name]);
    }

    fn exception(&mut self, exception: &mut Exception<'_>) {
        self.texts([&mut exception.kind, &mut exception.message, &mut exception.stack]);
        if let Some(mechanism) = &mut exception.mechanism {
            self.texts([&mut mechanism.kind]);
        }
        exception.frames.iter_mut().for_each(|frame| self.frame(frame));
        exception.vars.iter_mut().for_each(|of_frame| self.value(&mut of_frame.vars));
    }

    fn frame(&mut self, frame: &mut SentFrame<'_>) {
        let lines =
            frame.pre_context.iter_mut().chain(&mut frame.context_line).chain(&mut frame.post_context);
        lines.for_each(|line| self.text(line));
        self.texts([&mut frame.url, &mut frame.function, &mut frame.module]);
    }

    fn breadcrumb(&mut self, crumb: &mut Breadcrumb<'_>) {
        self.texts([&mut crumb.category, &mut crumb.message, &mut crumb.kind, &mut crumb.level]);
        self.value(&mut crumb.data);
    }

    /// The paths of what was cut contain field names.
    fn path(&mut self, path: &mut String) {
        if let Some((clean, _)) = self.scrubber.clean(path) {
            *path = clean;
        }
    }

    fn texts<const N: usize>(&mut self, texts: [&mut Option<Cow<'_, str>>; N]) {
        texts.into_iter().flatten().for_each(|text| self.text(text));
    }
}
