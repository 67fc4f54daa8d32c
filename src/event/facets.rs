//! The values by which an event can be filtered: environment, release, user, account and tags.

use super::accepted::{Accepted, User};
use crate::wire::json::Json;

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

/// An event's value of a facet, by the facet's name: `environment`, `release`, `user`, `account` or
/// `tag.<key>`.
pub fn value<'e>(event: &'e Accepted<'_>, name: &str) -> Option<&'e str> {
    match name {
        "environment" => Some(&event.environment),
        "release" => event.release.as_deref(),
        "user" => user(event),
        "account" => account(event),
        _ => tag(event, name.strip_prefix("tag.")?),
    }
}

fn tag<'e>(event: &'e Accepted<'_>, wanted: &str) -> Option<&'e str> {
    let Json::Object(tags) = &event.tags else { return None };
    tags.iter().find_map(|(key, value)| match value {
        Json::String(value) if key == wanted => Some(value.as_ref()),
        _ => None,
    })
}
