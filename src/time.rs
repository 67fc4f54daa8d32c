//! The one clock, and timestamps as they are stored and shown.
//!
//! A [`Timestamp`] is microseconds since the Unix epoch, UTC: logs keep them, everything else keeps
//! milliseconds. It is written as ISO 8601 with `Z` and three decimals, six if it has microseconds, and read
//! from any ISO 8601 date-time with an offset.

pub mod cron;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

pub const SECOND: i64 = 1_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// Microseconds per millisecond.
const MILLI: i64 = 1_000;
/// 9999-12-31T23:59:59.999999Z.
const MAX: i64 = 253_402_300_799_999_999;
/// From here (9 September 2001) on, a number that is not a second of these years is taken as milliseconds.
const MILLIS_FROM: f64 = 1e12;
/// Seconds (of the year 2106) up to which a number can represent microseconds.
const EXACT_BELOW: f64 = 4_294_967_296.0;
/// The origin of civil time.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Microseconds since the Unix epoch, between the years 1970 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The wall clock, in whole milliseconds. Never used for limits or time-outs, which use
    /// [`std::time::Instant`].
    pub fn now() -> Self {
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_millis());
        let millis = i64::try_from(millis).unwrap_or(MAX / MILLI);
        Self::from_millis(millis.saturating_add(offset()))
    }

    /// Values out of range are clamped; stored rows are ours and never out of range.
    pub fn from_millis(millis: i64) -> Self {
        Self::from_micros(millis.saturating_mul(MILLI))
    }

    /// The same.
    pub fn from_micros(micros: i64) -> Self {
        Self(micros.clamp(0, MAX))
    }

    /// Reads seconds since the epoch, with a fraction. A number that is not a second of the years 1970 to
    /// 9999 but a millisecond of 2001 or later is taken as milliseconds, as some clients send it. `None` for
    /// anything else.
    pub fn from_number(number: f64) -> Option<Self> {
        let is_millis = number >= MILLIS_FROM;
        let (of_second, of_milli) = if is_millis { (1e3, 1e3) } else { (1.0, 1e6) };
        // Where doubles are further apart than microseconds, their last digits mean nothing.
        let is_exact = number < EXACT_BELOW * of_second;
        let micros =
            if is_exact { (number * of_milli).round() } else { (number * of_milli / 1e3).round() * 1e3 };
        // The next double after the last microsecond is in the year 10000.
        (0.0..(MAX + 1) as f64).contains(&micros).then_some(Self(micros as i64))
    }

    /// Reads ISO 8601 with an offset (`2026-11-21T10:00:00Z`, `…+02:00`); a date-time without one is taken as
    /// UTC, which is what common clients send.
    pub fn parse(text: &str) -> Option<Self> {
        let micros = match text.parse::<jiff::Timestamp>() {
            Ok(instant) => instant.as_microsecond(),
            Err(_) => civil_micros(text)?,
        };
        (0..=MAX).contains(&micros).then_some(Self(micros))
    }

    /// A time as HTTP writes it: `Wed, 21 Oct 2015 07:28:00 GMT`.
    pub fn parse_http(text: &str) -> Option<Self> {
        let at = jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp().as_microsecond();
        (0..=MAX).contains(&at).then_some(Self(at))
    }

    /// Whole milliseconds.
    pub fn millis(self) -> i64 {
        self.0 / MILLI
    }

    pub fn micros(self) -> i64 {
        self.0
    }

    /// Hours since the epoch: the key of hourly counts.
    pub fn hour(self) -> i64 {
        self.millis() / HOUR
    }

    /// Days since the epoch, UTC.
    pub fn day(self) -> i64 {
        self.millis() / DAY
    }

    /// The calendar month (UTC): years since 0 times 12, and months; and when it began.
    pub fn month(self) -> (i64, Self) {
        let civil = EPOCH.saturating_add(SignedDuration::from_micros(self.0));
        let first = civil.date().first_of_month().to_datetime(jiff::civil::Time::midnight());
        let began = i64::try_from(first.duration_since(EPOCH).as_micros()).unwrap_or(0);
        (i64::from(first.year()) * 12 + i64::from(first.month()) - 1, Self::from_micros(began))
    }

    pub fn plus(self, millis: i64) -> Self {
        Self::from_micros(self.0.saturating_add(millis.saturating_mul(MILLI)))
    }
}

/// Parses a date-time without an offset, or in the last hours of 9999, where the library's instants end.
fn civil_micros(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok()?;
    let civil = pieces.date().to_datetime(pieces.time().unwrap_or_default());
    let offset = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    i64::try_from(civil.duration_since(EPOCH).as_micros())
        .ok()?
        .checked_sub(i64::from(offset.seconds()) * SECOND * MILLI)
}

/// Milliseconds by which a test moves the clock forward: debug builds read them from the file named by
/// `MAYDAY_CLOCK_OFFSET`, each time.
#[cfg(debug_assertions)]
fn offset() -> i64 {
    static FILE: std::sync::OnceLock<Option<std::ffi::OsString>> = std::sync::OnceLock::new();
    let file = FILE.get_or_init(|| std::env::var_os("MAYDAY_CLOCK_OFFSET"));
    let read = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    read.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

#[cfg(not(debug_assertions))]
const fn offset() -> i64 {
    0
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Civil time, because the library's instants end before the year 9999 does.
        let civil = EPOCH.saturating_add(SignedDuration::from_micros(self.0));
        let decimals = if self.0 % MILLI == 0 { 3 } else { 6 };
        write!(f, "{civil:.decimals$}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "expected an ISO 8601 time such as 2026-11-21T10:00:00Z, got `{}`",
                text.chars().take(64).collect::<String>()
            ))
        })
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests;
