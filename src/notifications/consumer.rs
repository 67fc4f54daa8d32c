//! Notifies people of signals, exactly once for each.

use super::service::post::Post;
use super::service::{self, News};
use super::sql::gather::{self, NoticePlace};
use super::sql::hourly;
use super::sql::mails;
use super::sql::tell;
use super::{Audience, Category, MAILS_WAITING_MAX, Notice, Recipient, texts};
use crate::accounts::people::People;
use crate::error::Result;
use crate::ids::UserId;
use crate::live::Hub;
use crate::signals::consumer::Consumer;
use crate::signals::{Kind, Signal};
use crate::store::Transaction;
use crate::time::{HOUR, Timestamp};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The consumer's name.
pub const NAME: &str = "notifications";

/// Writes notices, notifications and mails, and wakes people's streams.
pub struct Notifier {
    post: Post,
    live: Arc<Hub>,
    single_org: bool,
    /// The administrators of an instance with many organizations.
    operators: Vec<String>,
    /// The people notified in the current transaction.
    told: Mutex<BTreeSet<UserId>>,
}

impl Notifier {
    pub fn new(people: &People) -> Self {
        Self {
            post: Post::new(people),
            live: people.live.clone(),
            single_org: people.single_org,
            operators: people.config.sign_in.admin_emails.clone(),
            told: Mutex::default(),
        }
    }

    /// Adds an issue to a notice of several, or notifies people of it.
    fn tell_of_issue(&self, tx: &Transaction<'_>, signal: &Signal, issue: &texts::Issue) -> Result<()> {
        let audience = Audience::Members(issue.organization);
        let except: Vec<UserId> = signal.actor.into_iter().collect();
        if signal.kind == Kind::IssueHighValue {
            let told = gather::told_as_new(tx, issue.project, issue.id, signal.at)?;
            if told.is_some_and(|summary| texts::names_account(&summary, signal.text("account"))) {
                return Ok(());
            }
        }
        match gather::place(tx, issue.project, signal.kind.as_str(), signal.at)? {
            NoticePlace::Alone => {
                self.tell(tx, signal, &texts::one(signal, issue), (&audience, &except, true))
            }
            NoticePlace::Begins(count) => {
                gather::forget_alone(tx, issue.project, signal.kind.as_str(), signal.at)?;
                self.tell(tx, signal, &texts::many(signal.kind, issue, count), (&audience, &except, true))
            }
            NoticePlace::Continues { notice, count, is_due, is_mail_due } => {
                let many = texts::many(signal.kind, issue, count);
                gather::update(tx, notice, &many, signal.at)?;
                if is_due {
                    let recipients = tell::recipients(tx, &audience, Category::Error, &except, signal.at)?;
                    gather::tell_again(tx, notice, &recipients, signal.at)?;
                    if is_mail_due {
                        gather::mailed(tx, notice, signal.at)?;
                        self.mail_all(tx, &many, &recipients)?;
                    }
                }
                self.wake(tell::told(tx, notice)?);
                Ok(())
            }
        }
    }

    fn tell(
        &self,
        tx: &Transaction<'_>,
        signal: &Signal,
        notice: &Notice,
        (audience, except, by_mail): (&Audience, &[UserId], bool),
    ) -> Result<()> {
        let recipients = tell::recipients(tx, audience, notice.category, except, signal.at)?;
        if recipients.is_empty() {
            return Ok(());
        }
        let id = tell::add(tx, notice, signal.at)?;
        tell::each(tx, id, notice.category, &recipients, signal.at)?;
        self.wake(recipients.iter().filter(|one| one.in_app).map(|one| one.user));
        if by_mail {
            self.mail_all(tx, notice, &recipients)?;
        }
        Ok(())
    }

    fn mail_all(&self, tx: &Transaction<'_>, notice: &Notice, recipients: &[Recipient]) -> Result<()> {
        if !self.post.is_configured() {
            return Ok(());
        }
        recipients.iter().filter(|one| one.by_mail).try_for_each(|one| self.mail(tx, notice, one))
    }

    /// Writes a mail, or holds it until the end of the hour if the limit is reached.
    fn mail(&self, tx: &Transaction<'_>, notice: &Notice, to: &Recipient) -> Result<()> {
        let now = Timestamp::now();
        if mails::waiting(tx, to.user)? >= MAILS_WAITING_MAX {
            return hourly::hold(tx, to.user, notice, now.plus(HOUR));
        }
        match hourly::count(tx, to.user, now)? {
            None => self.post.one(tx, notice, to, now),
            Some(end) => hourly::hold(tx, to.user, notice, end),
        }
    }

    fn wake(&self, users: impl IntoIterator<Item = UserId>) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).extend(users);
    }
}

impl Consumer for Notifier {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        service::KINDS
    }

    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()> {
        for news in service::news(tx, signal, self.single_org, &self.operators)? {
            match news {
                News::OfIssue(issue) => self.tell_of_issue(tx, signal, &issue)?,
                News::Other { notice, audience, except, by_mail } => {
                    self.tell(tx, signal, &notice, (&audience, &except, by_mail))?;
                }
            }
        }
        Ok(())
    }

    fn committed(&self) {
        self.post.wake();
        let told = std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner));
        self.live.tell(told);
    }
}

#[cfg(test)]
mod tests;
