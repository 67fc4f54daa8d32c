//! The token with which a mail's reader unsubscribes without a session: it contains a person and the kind of mails,
//! and only this instance can create it. It does not expire, because mails may be read late; a new `JWT_SECRET`
//! invalidates all.

use super::Mails;
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::ids::UserId;

/// Visible ASCII without characters that mean something in a URL.
pub fn make(secret: &Secret, user: UserId, mails: Mails) -> String {
    let named = format!("{user}.{}", mails.as_str());
    let proof = token::hex(&token::keyed_hash(secret, &format!("unsubscribe {named}")));
    format!("{named}.{proof}")
}

/// The person and the mails; `None` if this instance did not create the token.
pub fn read(secret: &Secret, given: &str) -> Option<(UserId, Mails)> {
    let (user, rest) = given.split_once('.')?;
    let (mails, _) = rest.split_once('.')?;
    let (user, mails) = (UserId(user.parse().ok()?), Mails::find(mails)?);
    // Hashes are compared, so that the time reveals nothing about the token.
    let hash = |text: &str| token::keyed_hash(secret, text);
    (hash(&make(secret, user, mails)) == hash(given)).then_some((user, mails))
}
