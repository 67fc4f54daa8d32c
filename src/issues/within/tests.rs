use super::*;

fn period(text: &str) -> Period {
    Period::parse(text).unwrap()
}

#[test]
fn a_period_is_1_hour_to_30_days() {
    for (text, hours) in
        [("1h", 1), ("24h", 24), ("1d", 24), ("7d", 168), ("2w", 336), ("30d", 720), ("720h", 720)]
    {
        assert_eq!(period(text).hours, hours, "{text}");
    }
    for text in
        ["", "h", "0h", "-1h", "24", "721h", "31d", "5w", "1.5h", "24H", "1m", "99999999999999999999h", "1é"]
    {
        let error = Period::parse(text).unwrap_err().to_string();
        assert!(error.contains("period: expected 1h to 720h"), "{text}: {error}");
    }
}

#[test]
fn a_trend_has_at_most_30_bars_of_whole_hours() {
    let bars = |text| (period(text).bars(), period(text).bar_hours());
    assert_eq!(bars("1h"), (1, 1));
    assert_eq!(bars("24h"), (24, 1));
    assert_eq!(bars("31h"), (16, 2));
    assert_eq!(bars("7d"), (28, 6));
    assert_eq!(bars("30d"), (30, 24));
    for hours in 1..=720 {
        let period = Period { hours };
        assert!(period.bars() <= 30 && period.bars() * period.bar_hours() >= hours, "{hours}");
    }
}

#[test]
fn the_current_hour_is_in_the_last_bar() {
    let hours = [(100, 1), (99, 2), (95, 4), (94, 8), (-67, 16), (-68, 32), (101, 64)];
    let week = bars(period("7d"), 100, hours);
    assert_eq!(week.len(), 28);
    assert_eq!((week[27], week[26], week[0]), (7, 8, 16));
    assert_eq!(week.iter().sum::<i64>(), 31);
    assert_eq!(bars(period("2h"), 100, hours), [2, 1]);
}
