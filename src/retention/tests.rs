use super::*;
use crate::time::HOUR;

/// The hundredth day, in the morning.
fn now() -> Timestamp {
    Timestamp::from_millis(100 * DAY + 7 * HOUR)
}

fn limits(days: u64, count: u64, megabytes: u64) -> RetentionLimits {
    ConfiguredLimits { days, count, megabytes }.into()
}

/// Rows of one event and a MiB each, received that many days ago.
fn prefix(limits: RetentionLimits, days_ago: &[i64]) -> usize {
    let size = DataAmount { count: 1, bytes: 1 << 20 };
    let rows = days_ago.iter().map(|days| (now().plus(-days * DAY), size));
    let all = days_ago.len() as i64;
    let held = DataAmount { count: all, bytes: all << 20 };
    let (count, removed) = Excess::new(&limits, held, now()).prefix(rows);
    assert_eq!(removed, DataAmount { count: count as i64, bytes: (count as i64) << 20 });
    count
}

#[test]
fn a_rule_overrides_its_own_numbers_only_and_zero_means_unlimited() {
    let default =
        RetentionPolicy { events: limits(30, 1_000, 0), logs: limits(7, 0, 0), replays: limits(3, 0, 0) };
    let settings: RetentionSettings = serde_json::from_str(
        r#"{"events":{"days":0,"megabytes":5},"logs":{"days":3},"replays":{"count":2}}"#,
    )
    .unwrap();
    let policy = default.overridden(&settings);
    assert_eq!(policy.events, limits(0, 1_000, 5));
    assert_eq!(policy.logs, limits(3, 0, 0));
    assert_eq!(policy.replays, limits(3, 2, 0));
    assert_eq!(default.overridden(&RetentionSettings::default()), default);
    assert!(RetentionPolicy::default().events.keeps_all());
}

#[test]
fn a_number_that_is_too_large_is_refused_by_its_name() {
    let rule = RetentionRule { days: Some(3_651), ..RetentionRule::default() };
    let settings = RetentionSettings { logs: rule, ..RetentionSettings::default() };
    let refused = settings.check().unwrap_err().to_string();
    assert!(refused.contains("settings.retention.logs.days") && refused.contains("3650"), "{refused}");
    let rule = RetentionRule { days: Some(3_650), count: Some(COUNT_MAX), megabytes: Some(MEGABYTES_MAX) };
    RetentionSettings { events: rule, logs: rule, replays: rule }.check().unwrap();
}

#[test]
fn whole_days_are_kept() {
    let cutoff = limits(2, 0, 0).cutoff(now()).unwrap();
    assert_eq!(cutoff, Timestamp::from_millis(98 * DAY));
    // Two days ago at this hour is after the start of that day.
    assert_eq!(prefix(limits(2, 0, 0), &[4, 3, 2, 1, 0]), 2);
    assert_eq!(prefix(limits(0, 0, 0), &[4_000, 3, 2]), 0, "nothing is removed by default");
}

#[test]
fn the_newest_stay_up_to_a_number_or_a_size() {
    assert_eq!(prefix(limits(0, 2, 0), &[4, 3, 2, 1, 0]), 3);
    assert_eq!(prefix(limits(0, 0, 4), &[4, 3, 2, 1, 0]), 1);
    assert_eq!(prefix(limits(0, 5, 5), &[4, 3, 2, 1, 0]), 0, "exactly the limit");
    assert_eq!(prefix(limits(1, 4, 0), &[4, 3, 2, 1, 0]), 3, "the strictest limit counts");
}

#[test]
fn a_clock_that_was_wrong_removes_nothing_new() {
    // The clock was ahead for a while: those rows are removed with older ones after them, but not alone.
    assert_eq!(prefix(limits(2, 0, 0), &[-900, -900, 5, 4, 1, 0]), 4);
    assert_eq!(prefix(limits(2, 0, 0), &[-900, -900, 1, 0]), 0);
    // The clock was behind: nothing newer is removed early.
    assert_eq!(prefix(limits(2, 0, 0), &[1, 900, 900, 0]), 0);
}

fn estimate(limits: RetentionLimits, days: &[(i64, i64)]) -> Removal {
    let held = |count: i64| DataAmount { count, bytes: count << 20 };
    let days: Vec<_> =
        days.iter().map(|(ago, count)| DayAmount { day: now().day() - ago, held: held(*count) }).collect();
    let all = days.iter().map(|day| day.held.count).sum();
    Excess::new(&limits, held(all), now()).estimate(&days)
}

#[test]
fn an_estimate_is_exact_for_whole_days() {
    let removal = |count: i64| Removal { count, bytes: count << 20 };
    let days = [(40, 100), (31, 10), (30, 7), (0, 50)];
    assert_eq!(estimate(limits(30, 0, 0), &days), removal(110));
    assert_eq!(estimate(limits(31, 0, 0), &days), removal(100));
    assert_eq!(estimate(limits(0, 0, 0), &days), removal(0));
    // Within a day it is in proportion.
    assert_eq!(estimate(limits(0, 60, 0), &days), removal(107));
    assert_eq!(estimate(limits(0, 0, 1), &days), removal(166));
    assert_eq!(estimate(limits(30, 55, 0), &days), removal(112));
    assert_eq!(estimate(limits(0, 167, 167), &days), removal(0));
}
