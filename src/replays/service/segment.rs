//! Reads a request with a part of a replay in two passes, neither of which holds it whole.
//!
//! The first pass collects every field but `events`, which may come last; it is enough to admit the sender. The
//! second checks, scrubs, counts and writes the events one by one.

mod stream;

use crate::error::{Error, Result};
use crate::event::replay::{DURATION_MAX, Summary};
use crate::http::body::Encoding;
use crate::replays::URLS_MAX;
use crate::scrubbing::Scrubber;
use crate::text;
use crate::wire::surrogates;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::Write;
use stream::{Body, Pass};

/// The deepest nesting of an event.
const LEVELS_MAX: usize = 256;
/// Characters of a page's address.
const URL_MAX: usize = 2_048;
/// The latest time that can be meant, in milliseconds: the year 2100.
const TIME_MAX: f64 = 4_102_444_800_000.0;

/// All fields but `events`, as a JSON object.
///
/// # Errors
/// 400 if it is not JSON, 413 if it is too large, 422 if it is not an object.
pub(crate) fn head(encoding: Encoding, wire: &[u8]) -> Result<String> {
    let mut head = Head { json: String::from("{"), has_events: false };
    Body::open(encoding, wire)?.read(&mut head)?;
    if !head.has_events {
        return Err(Error::invalid("events: missing; expected an array of rrweb events"));
    }
    head.json.push('}');
    let mended = surrogates::mend(head.json.into());
    String::from_utf8(mended.into()).map_err(Error::internal)
}

struct Head {
    json: String,
    has_events: bool,
}

impl Pass for Head {
    fn field(&mut self, name: &str, value: &RawValue) {
        if self.json.len() > 1 {
            self.json.push(',');
        }
        self.json.push_str(&serde_json::Value::from(name).to_string());
        self.json.push(':');
        self.json.push_str(value.get());
    }

    fn events(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.has_events, true) {
            return Err(Error::invalid("events: given twice"));
        }
        Ok(())
    }
}

/// Writes the events of a request, scrubbed and separated by commas; returns their summary, and how many values were
/// removed.
///
/// # Errors
/// 422 naming an event that is not rrweb's; 413 if the request is too large; storage trouble.
pub(crate) fn write_events(
    encoding: Encoding,
    wire: &[u8],
    scrubber: &Scrubber,
    out: &mut impl Write,
) -> Result<(Summary, u32)> {
    let mut events = Events { scrubber, out, summary: Summary::default(), scrubbed: 0 };
    Body::open(encoding, wire)?.read(&mut events)?;
    let Events { summary, scrubbed, .. } = events;
    if let (Some(first), Some(last)) = (summary.first, summary.last)
        && last - first > DURATION_MAX
    {
        return Err(Error::invalid(format!(
            "events: expected at most {} minutes between the first and the last, got {}",
            DURATION_MAX / 60_000,
            (last - first) / 60_000
        )));
    }
    Ok((summary, scrubbed))
}

struct Events<'s, W> {
    scrubber: &'s Scrubber,
    out: &'s mut W,
    summary: Summary,
    scrubbed: u32,
}

impl<W: Write> Pass for Events<'_, W> {
    const READS_EVENTS: bool = true;

    fn event(&mut self, index: u32, raw: &RawValue) -> Result<()> {
        let too_deep = || Error::invalid(format!("events[{index}]: nested deeper than {LEVELS_MAX} levels"));
        let (json, removed) = self.scrubber.clean_json(raw.get(), LEVELS_MAX).ok_or_else(too_deep)?;
        let event: Event<'_> = serde_json::from_str(&json).map_err(|_| not_rrweb(index))?;
        if event.kind > 6 || !(0.0..TIME_MAX).contains(&event.timestamp) {
            return Err(not_rrweb(index));
        }
        let separator: &[u8] = if self.summary.events == 0 { b"" } else { b"," };
        self.out.write_all(separator).map_err(Error::storage)?;
        self.out.write_all(json.as_bytes()).map_err(Error::storage)?;
        self.scrubbed += removed;
        self.summary.plain_bytes += json.len() as i64;
        add(&mut self.summary, &event);
        Ok(())
    }
}

/// The outside of an rrweb event.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type")]
    kind: u8,
    timestamp: f64,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

fn not_rrweb(index: u32) -> Error {
    Error::invalid(format!(
        "events[{index}]: expected an event of rrweb: an object with `type` (0 to 6), `timestamp` in milliseconds and `data`"
    ))
}

/// Kinds of rrweb events.
const FULL_SNAPSHOT: u8 = 2;
const INCREMENTAL: u8 = 3;
const META: u8 = 4;
const CUSTOM: u8 = 5;
/// rrweb's source for mouse interactions, and their types.
const MOUSE_INTERACTION: f64 = 2.0;
const CLICK: f64 = 2.0;
/// The tag of our client's event for a page that changes its address without being loaded.
const NAVIGATION: &str = "mayday.navigation";

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    href: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Custom<'a> {
    #[serde(borrow)]
    tag: Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
}

#[derive(Deserialize)]
struct Navigation<'a> {
    #[serde(borrow)]
    to: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Interaction {
    source: Option<f64>,
    #[serde(rename = "type")]
    kind: Option<f64>,
}

fn add(summary: &mut Summary, event: &Event<'_>) {
    let (at, data) = (event.timestamp as i64, event.data.map_or("null", RawValue::get));
    summary.events += 1;
    summary.first = Some(summary.first.map_or(at, |first| first.min(at)));
    summary.last = Some(summary.last.map_or(at, |last| last.max(at)));
    match event.kind {
        FULL_SNAPSHOT => {
            summary.has_full_snapshot = true;
            summary.snapshot = summary.snapshot.or(Some(at));
        }
        META => {
            let href = serde_json::from_str::<Page<'_>>(data).ok().and_then(|page| page.href);
            if let Some(href) = href {
                visit(summary, href);
            }
        }
        CUSTOM => {
            if let Some(href) = target(data) {
                visit(summary, href);
            }
        }
        INCREMENTAL => {
            let found = serde_json::from_str::<Interaction>(data).ok();
            let is_click = |it: &Interaction| it.source == Some(MOUSE_INTERACTION) && it.kind == Some(CLICK);
            summary.clicks += u32::from(found.as_ref().is_some_and(is_click));
        }
        _ => {}
    }
}

/// Where a custom event says that the page went.
fn target(data: &str) -> Option<Cow<'_, str>> {
    let custom = serde_json::from_str::<Custom<'_>>(data).ok().filter(|custom| custom.tag == NAVIGATION)?;
    serde_json::from_str::<Navigation<'_>>(custom.payload.get()).ok().map(|navigation| navigation.to)
}

/// Adds a page, unless it is known.
fn visit(summary: &mut Summary, href: Cow<'_, str>) {
    let url = text::clip(href, URL_MAX).0;
    let is_known = summary.urls.iter().any(|known| *known == url);
    if !url.is_empty() && !is_known && summary.urls.len() < URLS_MAX {
        summary.urls.push(url.into_owned());
    }
}

#[cfg(test)]
mod tests;
