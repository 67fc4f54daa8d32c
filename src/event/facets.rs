//! The values by which an event can be filtered: environment, release, user, account, tags, and some properties of its
//! contexts.

use super::accepted::{Accepted, User};
use crate::wire::json::Json;

/// The facets of contexts: what programs run on, which has few values. Anything else in a context stays with its event
/// alone, because a client may send there whatever it likes.
pub const CONTEXTS: [&str; 10] = [
    "contexts.app.app_name",
    "contexts.app.app_version",
    "contexts.browser.name",
    "contexts.browser.version",
    "contexts.device.family",
    "contexts.device.model",
    "contexts.os.name",
    "contexts.os.version",
    "contexts.runtime.name",
    "contexts.runtime.version",
];
/// The longest value of a context that is a facet, in characters: as of a tag.
const CONTEXT_VALUE_MAX: usize = 200;

/// What identifies the event's user.
pub fn user<'e>(event: &'e Accepted<'_>) -> Option<&'e str> {
    person(event.user.as_ref()?)
}

/// What identifies a person.
pub fn person<'e>(user: &'e User<'_>) -> Option<&'e str> {
    let known = [&user.id, &user.email, &user.username, &user.name, &user.ip_address];
    known.into_iter().flatten().next().map(AsRef::as_ref)
}

/// What identifies the event's account.
pub fn account<'e>(event: &'e Accepted<'_>) -> Option<&'e str> {
    let account = event.account.as_ref()?;
    account.id.as_deref().or(account.name.as_deref())
}

/// An event's value of a facet, by the facet's name: `environment`, `release`, `user`, `account`, `tag.<key>` or one of
/// [`CONTEXTS`].
pub fn value<'e>(event: &'e Accepted<'_>, name: &str) -> Option<&'e str> {
    match name {
        "environment" => Some(&event.environment),
        "release" => event.release.as_deref(),
        "user" => user(event),
        "account" => account(event),
        _ if CONTEXTS.contains(&name) => context(event, name),
        _ => tag(event, name.strip_prefix("tag.")?),
    }
}

/// The facets that an event has of its contexts, with their values.
pub fn contexts<'e>(event: &'e Accepted<'_>) -> impl Iterator<Item = (&'static str, &'e str)> {
    CONTEXTS.into_iter().filter_map(move |name| Some((name, context(event, name)?)))
}

/// A text of a context, such as `contexts.os.name`, unless it is too long to be a facet.
fn context<'e>(event: &'e Accepted<'_>, name: &str) -> Option<&'e str> {
    let mut value = &event.contexts;
    for part in name.split('.').skip(1) {
        let Json::Object(fields) = value else { return None };
        value = &fields.iter().rev().find(|(field, _)| field == part)?.1;
    }
    let Json::String(text) = value else { return None };
    let is_facet = !text.is_empty() && text.chars().nth(CONTEXT_VALUE_MAX).is_none();
    is_facet.then_some(text.as_ref())
}

fn tag<'e>(event: &'e Accepted<'_>, wanted: &str) -> Option<&'e str> {
    let Json::Object(tags) = &event.tags else { return None };
    tags.iter().find_map(|(key, value)| match value {
        Json::String(value) if key == wanted => Some(value.as_ref()),
        _ => None,
    })
}
