//! Times that repeat: a cron expression in a time zone.

use super::{MILLI, Timestamp};
use croner::parser::{CronParser, Seconds, Year};
use std::fmt;

/// A time zone by its name in the IANA database, which the binary contains; the system's is used where there is one.
#[derive(Clone)]
pub struct Zone(jiff::tz::TimeZone, String);

impl Zone {
    /// `None` if there is no zone of that name.
    pub fn parse(name: &str) -> Option<Self> {
        let zone = jiff::tz::TimeZone::get(name).ok()?;
        Some(Self(zone, name.to_owned()))
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self(jiff::tz::TimeZone::UTC, "UTC".to_owned())
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.1)
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A cron expression of five fields: minute, hour, day of the month, month, day of the week.
///
/// A time that the clock skips when summer begins is taken at the next one that exists; one that it has twice when
/// summer ends is taken once.
#[derive(Debug, Clone)]
pub struct Cron {
    pattern: croner::Cron,
    zone: Zone,
    text: String,
}

impl Cron {
    /// `None` if it is not a cron expression.
    pub fn parse(text: &str, zone: &Zone) -> Option<Self> {
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let pattern = parser.parse(text).ok()?;
        Some(Self { pattern, zone: zone.clone(), text: text.to_owned() })
    }

    /// The first time after `at`; `None` if it never comes, such as 31 February.
    pub fn after(&self, at: Timestamp) -> Option<Timestamp> {
        let at = jiff::Timestamp::from_microsecond(at.micros()).ok()?.to_zoned(self.zone.0.clone());
        let next = self.pattern.find_next_occurrence(&at, false).ok()?;
        Some(Timestamp::from_micros(next.timestamp().as_microsecond() / MILLI * MILLI))
    }

    pub fn zone(&self) -> &Zone {
        &self.zone
    }
}

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(text: &str, zone: &str, after: &str) -> String {
        let zone = Zone::parse(zone).unwrap();
        let cron = Cron::parse(text, &zone).unwrap();
        cron.after(Timestamp::parse(after).unwrap()).map_or_else(|| "never".to_owned(), |at| at.to_string())
    }

    #[test]
    fn the_next_time_is_after_the_given_one_and_in_its_zone() {
        for (text, zone, after, expected) in [
            ("0 3 * * *", "UTC", "2026-11-23T02:59:59.999Z", "2026-11-23T03:00:00.000Z"),
            ("0 3 * * *", "UTC", "2026-11-23T03:00:00Z", "2026-11-24T03:00:00.000Z"),
            ("0 3 * * *", "Europe/Berlin", "2026-11-23T00:00:00Z", "2026-11-23T02:00:00.000Z"),
            ("*/15 * * * *", "UTC", "2026-11-23T03:15:00.001Z", "2026-11-23T03:30:00.000Z"),
            ("30 4 * * 7", "UTC", "2026-11-23T03:00:00Z", "2026-11-29T04:30:00.000Z"),
            ("30 4 1 * *", "UTC", "2026-12-31T23:00:00Z", "2027-01-01T04:30:00.000Z"),
            ("@daily", "UTC", "2026-11-23T03:00:00Z", "2026-11-24T00:00:00.000Z"),
            ("0 0 31 2 *", "UTC", "2026-11-23T03:00:00Z", "never"),
        ] {
            assert_eq!(next(text, zone, after), expected, "{text} {zone} after {after}");
        }
    }

    #[test]
    fn what_the_clock_skips_comes_later_and_what_it_repeats_comes_once() {
        // Summer begins on 28 March 2027 in Berlin: 02:00 is followed by 03:00.
        assert_eq!(next("30 2 * * *", "Europe/Berlin", "2027-03-28T00:00:00Z"), "2027-03-28T01:00:00.000Z");
        // It ends on 31 October 2027: 03:00 is followed by 02:00.
        let first = next("30 2 * * *", "Europe/Berlin", "2027-10-30T22:00:00Z");
        assert_eq!(first, "2027-10-31T00:30:00.000Z");
        assert_eq!(next("30 2 * * *", "Europe/Berlin", &first), "2027-11-01T01:30:00.000Z");
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in
            ["", "daily", "60 3 * * *", "0 3 * *", "0 0 3 * * *", "0 3 * * * 2027", "x 3 * * *", "0 3 * * 9"]
        {
            assert!(Cron::parse(text, &Zone::default()).is_none(), "{text}");
        }
        for zone in ["", "Berlin", "Europe/Nowhere", "UTC+1", "../UTC"] {
            assert!(Zone::parse(zone).is_none(), "{zone}");
        }
    }
}
