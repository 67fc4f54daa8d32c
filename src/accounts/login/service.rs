//! Mail to people about their passwords and addresses. Answers to requests do not reveal whether one was
//! sent: they are the same for everybody.

use crate::accounts::links::{self, Purpose};
use crate::accounts::people::People;
use crate::accounts::{User, admission};
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::deliveries::NewDelivery;
use crate::delivery::mail::messages::{self, Link};
use crate::error::Result;
use crate::organizations;
use crate::signals::{self, NewSignal};
use crate::store::Transaction;
use crate::time::Timestamp;
use std::net::IpAddr;
use std::sync::Arc;

/// Sends a link to set a new password if the account exists and may sign in.
pub(super) async fn send_reset(people: Arc<People>, email: String, address: IpAddr) {
    let writing = people.clone();
    let write = people.main.write(move |tx| {
        let now = Timestamp::now();
        let Some(account) = admission::sql::by_email(tx, &email)? else { return Ok(()) };
        let config = &writing.config.sign_in;
        let comes_back = admission::is_floored(config, &account);
        let is_out =
            writing.single_org && !comes_back && organizations::sql::list(tx, account.id())?.is_empty();
        if account.disabled || is_out {
            return Ok(());
        }
        let wish = LinkRequest { user: &account.user, purpose: Purpose::PasswordReset, to: &email, address };
        wish.grant(tx, &writing, "password.reset_asked", now)
    });
    report(&people, write.await);
}

/// Sends a confirmation link to a person's new address.
pub(super) async fn send_email_change(people: Arc<People>, user: User, email: String, address: IpAddr) {
    let writing = people.clone();
    let write = people.main.write(move |tx| {
        // Whether somebody already uses the address is not revealed.
        if admission::sql::by_email(tx, &email)?.is_some() {
            return Ok(());
        }
        let wish = LinkRequest { user: &user, purpose: Purpose::EmailChange, to: &email, address };
        wish.grant(tx, &writing, "email.change_asked", Timestamp::now())
    });
    report(&people, write.await);
}

/// Warns the owner of an account of somebody who guesses at its password. Whether there is such an account changes
/// nothing for whoever guesses.
pub(super) async fn warn_of_guesses(people: &People, email: String, address: IpAddr) {
    let write = people.main.write(move |tx| {
        let Some(account) = admission::sql::by_email(tx, &email)? else { return Ok(()) };
        signals::sql::add(tx, &NewSignal::of_throttle(account.id(), address), Timestamp::now())
    });
    match write.await {
        Ok(()) => people.subscribers.notify(),
        Err(error) => tracing::warn!(%error, "an account's owner was not warned of guesses"),
    }
}

fn report(people: &People, written: Result<()>) {
    match written {
        Ok(()) => people.deliveries.wake(),
        Err(error) => tracing::warn!(?error, "a link could not be created"),
    }
}

/// A request for a link.
struct LinkRequest<'a> {
    user: &'a User,
    purpose: Purpose,
    to: &'a str,
    address: IpAddr,
}

impl LinkRequest<'_> {
    /// Creates the link and its mail, unless there were too many recently.
    fn grant(
        &self,
        tx: &Transaction<'_>,
        people: &People,
        action: &'static str,
        now: Timestamp,
    ) -> Result<()> {
        if links::sql::made_lately(tx, self.user.id, self.purpose, now)? >= links::EACH_HOUR {
            return Ok(());
        }
        let token = token::link();
        let link = links::sql::NewLink {
            user: self.user.id,
            purpose: self.purpose,
            token_hash: token::keyed_hash(&people.secrets.jwt, &token),
            email: self.to,
            mailed: true,
            created_by: None,
            lifetime: links::MAILED,
        };
        links::sql::add(tx, &link, now)?;
        let to_page = |page: &str| Link::new(&people.addresses.frontend, &format!("{page}#token={token}"));
        let mail = match self.purpose {
            Purpose::PasswordReset => messages::password_reset(self.to, &to_page("/reset-password")?)?,
            Purpose::EmailChange => messages::email_change(self.to, &to_page("/confirm-email")?)?,
        };
        people.deliveries.add(tx, &NewDelivery::mail(&mail)?, now)?;
        let actor = match self.purpose {
            // Anybody can request one.
            Purpose::PasswordReset => Actor::unknown("", self.address),
            Purpose::EmailChange => Actor::person(self.user, self.address),
        };
        audit::sql::add(tx, &actor.did(action, self.to), now)
    }
}
