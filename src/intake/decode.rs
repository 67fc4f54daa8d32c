//! Turns a body into an accepted event: checks types and limits of every field, and names the path in every
//! refusal.
//!
//! A field that is present but unusable is refused (422), except for a time, which is replaced by the receipt
//! time. What is over its limit is cut, and its path is listed in the event's `truncated`.

mod debug;
mod exception;
pub(crate) mod fields;
pub mod limits;

#[cfg(test)]
mod tests;

use crate::error::{Error, Result};
use crate::event::accepted::{Accepted, Account, Breadcrumb, Kind, Level, Sdk, User};
use crate::text;
use crate::time::{DAY, HOUR, Timestamp};
use crate::wire::json::shallow::{self, Items};
use crate::wire::json::{Json, ParseError};
use fields::Fields;
use std::borrow::Cow;

/// Bytes of one event, decompressed.
pub const EVENT_MAX: usize = 1 << 20;
/// Bytes of a batch, decompressed.
pub const BATCH_MAX: usize = 8 << 20;
/// Events of a batch.
pub const BATCH_EVENTS_MAX: usize = 100;

/// How far in the future and in the past a sent time is accepted, in milliseconds.
pub const FUTURE_MAX: i64 = HOUR;
pub const PAST_MAX: i64 = 30 * DAY;

/// Parses a body into a tree.
///
/// # Errors
/// 400 if it is not JSON in UTF-8, 422 if it is nested too deeply or has too many values.
pub fn parse(body: &[u8]) -> Result<Json<'_>> {
    Json::parse(body).map_err(refusal)
}

fn refusal(error: ParseError) -> Error {
    match error {
        ParseError::TooDeep | ParseError::TooMany => Error::invalid(format!("The body {error}")),
        ParseError::Syntax(_) => Error::malformed(format!("The body is not JSON: {error}")),
    }
}

/// The events of a batch, unparsed; `None` if the body is not an array.
///
/// # Errors
/// 400 if it is not JSON in UTF-8.
pub fn batch(body: &[u8]) -> Result<Option<Items<'_>>> {
    shallow::items(body, BATCH_EVENTS_MAX).map_err(refusal)
}

/// The key of an event, found without building a tree, so that a body without a valid key costs little.
///
/// # Errors
/// 400 if it is not JSON in UTF-8.
pub fn find_key(event: &[u8]) -> Result<Option<Cow<'_, str>>> {
    shallow::text_field(event, "api_key").map_err(refusal)
}

/// The key of an event; a value that is not a string counts as missing.
pub fn take_key<'a>(event: &mut Json<'a>) -> Option<Cow<'a, str>> {
    match event.take("api_key") {
        Some(Json::String(key)) => Some(key),
        _ => None,
    }
}

/// Checks an event and cuts it to its limits. `environment`, that of its key, is the default for an event
/// that names none.
///
/// # Errors
/// 422 naming the field, what was expected and what was received.
pub fn event<'a>(mut tree: Json<'a>, environment: Option<&str>, now: Timestamp) -> Result<Accepted<'a>> {
    let (mut fields, tree) = (Fields::default(), &mut tree);
    let kind = kind(tree)?;
    let exception = exception::take(&mut fields, tree)?;
    let message = fields.text(tree, "", "message", limits::MESSAGE)?;
    check_content(kind, exception.is_some(), message.is_some())?;
    let time = time(tree.take("timestamp"), now);
    let event_id = event_id(&mut fields, tree)?;
    let (extra, contexts) = extra_and_contexts(&mut fields, tree)?;
    Ok(Accepted {
        event_id,
        timestamp: time.used.millis(),
        received_at: now.millis(),
        timestamp_replaced: time.replaced,
        sent_timestamp: time.sent,
        kind,
        level: level(tree, kind)?,
        environment: label(&mut fields, tree, "environment", limits::ENVIRONMENT)?
            .unwrap_or_else(|| environment_of(environment)),
        release: label(&mut fields, tree, "release", limits::RELEASE)?,
        platform: fields.text(tree, "", "platform", limits::NAME)?,
        message,
        url: fields.text(tree, "", "url", limits::URL)?,
        user_agent: fields.text(tree, "", "user_agent", limits::USER_AGENT)?,
        user: user(&mut fields, tree)?,
        account: account(&mut fields, tree)?,
        session_id: fields.text(tree, "", "session_id", limits::ID)?,
        window_id: fields.text(tree, "", "window_id", limits::ID)?,
        replay_id: fields.text(tree, "", "replay_id", limits::ID)?,
        trace_id: fields.text(tree, "", "trace_id", limits::ID)?,
        span_id: fields.text(tree, "", "span_id", limits::ID)?,
        tags: tags(&mut fields, tree)?,
        fingerprint: fingerprint(&mut fields, tree)?,
        breadcrumbs: breadcrumbs(&mut fields, tree)?,
        sdk: sdk(&mut fields, tree)?,
        exception,
        extra,
        contexts,
        debug_images: debug::images(&mut fields, tree)?,
        scrubbed: 0,
        truncated: fields.truncated,
    })
}

/// An exception has one, and a message its text.
fn check_content(kind: Kind, has_exception: bool, has_message: bool) -> Result<()> {
    match kind {
        Kind::Exception if !has_exception => {
            Err(Error::invalid("exception: missing; expected an object with `type`, `message` and `stack`"))
        }
        Kind::Message if !has_message => {
            Err(Error::invalid("message: missing; expected a text, since `type` is `message`"))
        }
        _ => Ok(()),
    }
}

/// The client's id, or a new one.
fn event_id<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Cow<'a, str>> {
    let sent = fields.exact(tree, "event_id", limits::EVENT_ID)?;
    Ok(sent.unwrap_or_else(|| Cow::Owned(crate::crypto::token::random_hex(16))))
}

/// A text; an empty one counts as missing.
pub(crate) fn label<'a>(
    fields: &mut Fields,
    tree: &mut Json<'a>,
    name: &'static str,
    max: usize,
) -> Result<Option<Cow<'a, str>>> {
    Ok(fields.text(tree, "", name, max)?.filter(|text| !text.is_empty()))
}

/// The environment of an event that names none.
pub(crate) fn environment_of<'a>(key: Option<&str>) -> Cow<'a, str> {
    key.map_or(Cow::Borrowed("production"), |environment| Cow::Owned(environment.to_owned()))
}

/// The two free-form objects, which share one limit.
fn extra_and_contexts<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<(Json<'a>, Json<'a>)> {
    let mut room = limits::FREE_BYTES;
    let extra = fields.object(tree, "extra")?;
    let contexts = fields.object(tree, "contexts")?;
    Ok((fields.fit(extra, "extra", &mut room), fields.fit(contexts, "contexts", &mut room)))
}

fn kind(tree: &mut Json<'_>) -> Result<Kind> {
    match tree.take("type") {
        None if tree.has("exception") => Ok(Kind::Exception),
        None => Ok(Kind::Message),
        Some(Json::String(text)) if text == "exception" => Ok(Kind::Exception),
        Some(Json::String(text)) if text == "message" => Ok(Kind::Message),
        Some(other) => {
            Err(Error::invalid(format!("type: expected `exception` or `message`, got {}", other.describe())))
        }
    }
}

fn level(tree: &mut Json<'_>, kind: Kind) -> Result<Level> {
    let Some(given) = tree.take("level") else {
        return Ok(if kind == Kind::Message { Level::Info } else { Level::Error });
    };
    let parsed = match &given {
        Json::String(text) => Level::parse(text),
        _ => None,
    };
    parsed.ok_or_else(|| {
        let expected = Level::ALL.map(Level::as_str).join(", ");
        Error::invalid(format!("level: expected one of {expected}, got {}", given.describe()))
    })
}

struct Time<'a> {
    used: Timestamp,
    sent: Option<Cow<'a, str>>,
    replaced: bool,
}

/// The sent time, if it can be read and is neither over an hour ahead nor over 30 days old.
fn time(given: Option<Json<'_>>, now: Timestamp) -> Time<'_> {
    let Some(given) = given else { return Time { used: now, sent: None, replaced: true } };
    let parsed =
        read_time(&given).filter(|time| (-PAST_MAX..=FUTURE_MAX).contains(&(time.millis() - now.millis())));
    match parsed {
        Some(used) => Time { used, sent: None, replaced: false },
        None => {
            let sent = match given {
                Json::String(text) => text,
                other => Cow::Owned(other.describe()),
            };
            Time { used: now, sent: Some(text::clip(sent, limits::SENT_TIME).0), replaced: true }
        }
    }
}

/// ISO 8601, or a number: see [`Timestamp::from_number`].
pub(crate) fn read_time(given: &Json<'_>) -> Option<Timestamp> {
    match given {
        Json::String(text) => Timestamp::parse(text),
        Json::Number(number) => Timestamp::from_number(number.as_f64()?),
        _ => None,
    }
}

pub(crate) fn user<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Option<User<'a>>> {
    let Some(mut user) = fields.optional_object(tree, "", "user")? else { return Ok(None) };
    let user = User {
        id: fields.id(&mut user, "user.", "id", limits::IDENTITY)?,
        email: fields.text(&mut user, "user.", "email", limits::IDENTITY)?,
        username: fields.text(&mut user, "user.", "username", limits::IDENTITY)?,
        name: fields.text(&mut user, "user.", "name", limits::IDENTITY)?,
        ip_address: fields.text(&mut user, "user.", "ip_address", limits::NAME)?,
    };
    Ok((user != User::default()).then_some(user))
}

pub(crate) fn account<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Option<Account<'a>>> {
    let Some(mut account) = fields.optional_object(tree, "", "account")? else { return Ok(None) };
    let account = Account {
        id: fields.id(&mut account, "account.", "id", limits::IDENTITY)?,
        name: fields.text(&mut account, "account.", "name", limits::IDENTITY)?,
    };
    Ok((account != Account::default()).then_some(account))
}

fn sdk<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Option<Sdk<'a>>> {
    let Some(mut sdk) = fields.optional_object(tree, "", "sdk")? else { return Ok(None) };
    Ok(Some(Sdk {
        name: fields.text(&mut sdk, "sdk.", "name", limits::NAME)?,
        version: fields.text(&mut sdk, "sdk.", "version", limits::NAME)?,
    }))
}

/// At most 100 tags; numbers and booleans are accepted as text. If a key is given twice, the last one counts.
fn tags<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Json<'a>> {
    let Json::Object(given) = fields.object(tree, "tags")? else { return Ok(Json::Null) };
    let mut tags: Vec<(Cow<'a, str>, Json<'a>)> = Vec::with_capacity(given.len().min(limits::TAGS));
    for (key, value) in given {
        let key = fields.clip(key, limits::TAG, "tags");
        let known = tags.iter().position(|(known, _)| *known == key);
        if value == Json::Null {
            known.map(|known| tags.remove(known));
            continue;
        }
        if known.is_none() && tags.len() == limits::TAGS {
            fields.cut("tags");
            continue;
        }
        let value = fields.scalar_text(value, format_args!("tags.{key}"))?;
        let value = Json::String(fields.clip(value, limits::TAG, format_args!("tags.{key}")));
        match known {
            Some(known) => tags[known].1 = value,
            None => tags.push((key, value)),
        }
    }
    Ok(Json::Object(tags))
}

fn fingerprint<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Vec<Cow<'a, str>>> {
    let given = fields.array(tree, "", "fingerprint")?;
    if given.len() > limits::FINGERPRINT {
        fields.cut("fingerprint");
    }
    let parts = given.into_iter().take(limits::FINGERPRINT).enumerate();
    parts
        .map(|(index, part)| {
            let part = fields.expect_text(part, format_args!("fingerprint[{index}]"))?;
            Ok(fields.clip(part, limits::TAG, format_args!("fingerprint[{index}]")))
        })
        .collect()
}

/// The newest 100, closest to the error.
fn breadcrumbs<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Vec<Breadcrumb<'a>>> {
    let given = fields.array(tree, "", "breadcrumbs")?;
    let skipped = given.len().saturating_sub(limits::BREADCRUMBS);
    if skipped > 0 {
        fields.cut("breadcrumbs");
    }
    let kept = given.into_iter().skip(skipped).enumerate();
    let mut crumbs =
        kept.map(|(index, crumb)| breadcrumb(fields, crumb, index)).collect::<Result<Vec<_>>>()?;
    fit_data(fields, &mut crumbs);
    Ok(crumbs)
}

/// Cuts the data of breadcrumbs to its limits, newest first.
fn fit_data(fields: &mut Fields, crumbs: &mut [Breadcrumb<'_>]) {
    let mut left = limits::BREADCRUMBS_BYTES;
    for (index, crumb) in crumbs.iter_mut().enumerate().rev() {
        if crumb.data.is_empty() {
            continue;
        }
        let given = left.min(limits::BREADCRUMB_BYTES);
        let mut room = given;
        let path = format_args!("breadcrumbs[{index}].data");
        crumb.data = fields.fit(std::mem::take(&mut crumb.data), path, &mut room);
        left -= given - room;
    }
}

fn breadcrumb<'a>(fields: &mut Fields, crumb: Json<'a>, index: usize) -> Result<Breadcrumb<'a>> {
    let mut crumb = fields.expect_object(crumb, format_args!("breadcrumbs[{index}]"))?;
    let prefix = format_args!("breadcrumbs[{index}].");
    Ok(Breadcrumb {
        timestamp: crumb.take("timestamp").as_ref().and_then(read_time).map(Timestamp::millis),
        category: fields.text(&mut crumb, prefix, "category", limits::NAME)?,
        message: fields.text(&mut crumb, prefix, "message", limits::MESSAGE)?,
        level: fields.text(&mut crumb, prefix, "level", limits::NAME)?,
        kind: fields.text(&mut crumb, prefix, "type", limits::NAME)?,
        data: crumb.take("data").unwrap_or(Json::Null),
    })
}
