//! Writes the mails of notifications as deliveries.

use crate::accounts::people::People;
use crate::config::Addresses;
use crate::crypto::secret::Secret;
use crate::deliveries::{Channel, Deliveries, NewDelivery};
use crate::delivery::mail::Mail;
use crate::delivery::mail::messages::{self, Link};
use crate::error::{Error, Result};
use crate::ids::{IssueId, OrganizationId, ProjectId, UserId};
use crate::notifications::sql::{facts, hourly, mails, report};
use crate::notifications::{Category, INBOX, Mails, Notice, PREFERENCES, Recipient, unsubscribe};
use crate::store::Transaction;
use crate::time::cron::Cron;
use crate::time::{DAY, Timestamp};
use std::sync::Arc;

/// The most titles in a digest.
const ITEMS_MAX: usize = 50;

/// What mails are made with.
#[derive(Clone)]
pub struct Post {
    pub deliveries: Arc<Deliveries>,
    pub addresses: Addresses,
    /// Signs [`unsubscribe`] tokens.
    pub jwt: Secret,
    /// When weekly reports are due.
    pub reports: Cron,
}

impl Post {
    pub fn new(people: &People) -> Self {
        Self {
            deliveries: people.deliveries.clone(),
            addresses: people.addresses.clone(),
            jwt: people.secrets.jwt.clone(),
            reports: people.config.reports.schedule.clone(),
        }
    }

    pub fn is_configured(&self) -> bool {
        self.deliveries.has(Channel::Mail)
    }

    /// Call this after the commit.
    pub fn wake(&self) {
        self.deliveries.wake();
    }

    /// Mails one notice to one person.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn one(&self, tx: &Transaction<'_>, notice: &Notice, to: &Recipient, now: Timestamp) -> Result<()> {
        let mail = messages::Notification {
            kind: notice.category.mail(),
            title: &notice.title,
            summary: &notice.summary,
            link: Link::new(&self.addresses.frontend, &notice.action_url)?,
            thread: self.thread(notice),
            issue: issue_of(notice),
            preferences: Link::new(&self.addresses.frontend, PREFERENCES)?,
            unsubscribe: self.unsubscribe(to.user, Mails::Of(notice.category))?,
        };
        let of = (to.user, notice.organization, Some(Mails::Of(notice.category)));
        self.add(tx, messages::notification(&to.email, &mail), of, now)
    }

    /// Mails everything held for a person as a digest.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn digest(&self, tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
        let held = hourly::take(tx, user, ITEMS_MAX)?;
        let (Some(person), false) = (facts::person(tx, user)?, held.items.is_empty()) else { return Ok(()) };
        if !self.is_configured() {
            return Ok(());
        }
        let frontend = &self.addresses.frontend;
        let items = held.items.into_iter().map(|(title, page)| Ok((title, Link::new(frontend, &page)?)));
        let items: Vec<(String, Link)> = items.collect::<Result<_>>()?;
        let mail = messages::Digest {
            items: &items,
            others: held.others,
            inbox: Link::new(frontend, INBOX)?,
            preferences: Link::new(frontend, PREFERENCES)?,
            unsubscribe: self.unsubscribe(user, held.category.map_or(Mails::All, Mails::Of))?,
        };
        self.add(tx, messages::digest(&person.email, &mail), (user, None, held.category.map(Mails::Of)), now)
    }

    /// Writes a person's weekly report if mail is configured, and sets the date of the next one.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn report(&self, tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
        // A schedule without a next time is refused at the start.
        let next = self.reports.after(now).unwrap_or_else(|| now.plus(7 * DAY));
        report::postpone(tx, user, next)?;
        let Some(person) = facts::active_person(tx, user)?.filter(|_| self.is_configured()) else {
            return Ok(());
        };
        let frontend = &self.addresses.frontend;
        let mut weeks = Vec::new();
        for week in report::weeks(tx, user, now)? {
            let page = |path: String| Link::new(frontend, &format!("/projects/{}/{path}", week.id));
            let top = week
                .top
                .iter()
                .map(|(issue, title, events)| Ok((title.clone(), *events, page(format!("issues/{issue}"))?)));
            let top = top.collect::<Result<_>>()?;
            weeks.push(messages::Week {
                project: week.name.clone(),
                events: week.events,
                events_before: week.events_before,
                new_issues: week.new_issues,
                regressed_issues: week.regressed_issues,
                unresolved_issues: week.unresolved_issues,
                top,
                link: page("issues".to_owned())?,
            });
        }
        let mail = messages::Report {
            weeks: &weeks,
            until: now,
            preferences: Link::new(frontend, PREFERENCES)?,
            unsubscribe: self.unsubscribe(user, Mails::Report)?,
        };
        self.add(tx, messages::report(&person.email, &mail), (user, None, Some(Mails::Report)), now)
    }

    fn add(
        &self,
        tx: &Transaction<'_>,
        mail: Result<Mail>,
        (user, organization, of): (UserId, Option<OrganizationId>, Option<Mails>),
        now: Timestamp,
    ) -> Result<()> {
        match mail {
            Ok(mail) => {
                let delivery = self.deliveries.add(tx, &NewDelivery::mail(&mail)?, now)?;
                mails::add(tx, delivery, user, organization, of)
            }
            // An account with an invalid address gets no mail, and does not stop the others.
            Err(Error::Invalid(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn unsubscribe(&self, user: UserId, mails: Mails) -> Result<Link> {
        let token = unsubscribe::make(&self.jwt, user, mails);
        Link::new(&self.addresses.api, &format!("/api/v1/notifications/unsubscribe?token={token}"))
    }

    /// The thread of mails about an issue. The host makes it unique to this instance.
    fn thread(&self, notice: &Notice) -> Option<String> {
        let (kind, id) = notice.source;
        // An IPv6 address has brackets, which are not allowed in a message id.
        let host = self.addresses.frontend.host().replace(['[', ']', ':', '_'], "-");
        (kind == "issue").then(|| format!("issue-{id}@{host}"))
    }
}

/// The issue whose details a mail shows, if it is about a single one.
fn issue_of(notice: &Notice) -> Option<(ProjectId, IssueId)> {
    match (notice.category, notice.project, notice.source) {
        (Category::Error, Some(project), ("issue", id)) => Some((project, IssueId(id))),
        _ => None,
    }
}
