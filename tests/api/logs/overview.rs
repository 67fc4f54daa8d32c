//! Entries counted over time and by template.

use super::{entry, iso, now, post, read, store, total, until_total, with};
use crate::support::{Project, Value, json};

const MINUTE: i64 = 60_000;

fn sum(histogram: &Value) -> u64 {
    histogram["buckets"].as_array().unwrap().iter().map(|bucket| bucket["total"].as_u64().unwrap()).sum()
}

#[test]
fn a_histogram_counts_each_entry_in_its_step_and_level() {
    let project = Project::new();
    let base = now() / MINUTE * MINUTE - 10 * MINUTE;
    let at = |after: i64, level: &str| json!({"timestamp": base + after, "level": level, "message": "x"});
    store(&project, &[at(0, "info"), at(59_999, "error"), at(MINUTE, "error"), at(3 * MINUTE - 1, "fatal")]);
    store(&project, &[at(MINUTE + 1, "error")]);
    let (start, end) = (iso(base), iso(base + 4 * MINUTE - 1));
    let histogram = read(&project, &format!("/histogram?start_time={start}&end_time={end}&interval=60"));
    let buckets = histogram["buckets"].as_array().unwrap();
    let totals: Vec<_> = buckets.iter().map(|bucket| bucket["total"].as_u64().unwrap()).collect();
    assert_eq!(totals, [2, 2, 1, 0]);
    assert_eq!((&histogram["total"], &histogram["interval"]), (&json!(5), &json!(60)));
    let levels = json!({"trace": 0, "debug": 0, "info": 1, "warn": 0, "error": 1, "fatal": 0});
    assert_eq!(buckets[0]["levels"], levels);
    let times: Vec<jiff::Timestamp> =
        buckets.iter().map(|bucket| bucket["time"].as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(times[0].as_millisecond(), base);
    assert!(times.windows(2).all(|pair| pair[1].as_millisecond() - pair[0].as_millisecond() == MINUTE));
    let errors = read(&project, &format!("/histogram?start_time={start}&end_time={end}&levels=error"));
    assert_eq!((sum(&errors), &errors["total"]), (3, &json!(3)));
}

#[test]
fn sums_are_the_totals_of_the_list() {
    let project = Project::new();
    let logs: Vec<_> = (0..500)
        .map(|number: i64| {
            let level = ["debug", "info", "warn", "error"][(number % 4) as usize];
            with(
                entry(-number * 61_000, &format!("Task {number} took {}ms", number * 3)),
                &json!({"level": level}),
            )
        })
        .collect();
    store(&project, &logs);
    for query in ["", "levels=error,warn", "search=task%20took", "search=-level:debug", "search=attr.x:y"] {
        let (start, end) = (iso(now() - 6 * 3_600_000), iso(now()));
        let range = format!("?start_time={start}&end_time={end}&{query}");
        let expected = total(&project, &range);
        for interval in ["", "&interval=60", "&interval=100000"] {
            let histogram = read(&project, &format!("/histogram{range}{interval}"));
            assert_eq!(
                (sum(&histogram), &histogram["total"]),
                (expected, &json!(expected)),
                "{query}{interval}"
            );
        }
        let templates = read(&project, &format!("/templates{range}"));
        let counted: u64 = templates["templates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|group| group["count"].as_u64().unwrap())
            .sum();
        assert_eq!(counted, expected, "{query}");
    }
}

#[test]
fn a_template_has_its_count_and_its_newest_entry() {
    let project = Project::new();
    // By one clock: the newest one is not the last.
    let base = now() - MINUTE;
    let at = |after: i64, message: &str| with(entry(0, message), &json!({"timestamp": base + after}));
    let logs = [
        at(1, "User 1 signed in"),
        at(3, "User 3 signed in"),
        at(2, "User 2 signed in"),
        at(4, "Disk full"),
        with(at(5, "Bonjour Ann"), &json!({"template": "Bonjour {name}"})),
    ];
    store(&project, &logs);
    let list = read(&project, "/templates");
    assert_eq!((&list["total"], &list["has_more"]), (&json!(3), &json!(false)));
    let first = &list["templates"][0];
    assert_eq!((&first["template"], &first["count"]), (&json!("User {number} signed in"), &json!(3)));
    assert_eq!(first["example"]["message"], "User 3 signed in");
    let id = first["id"].as_str().unwrap();
    assert_eq!(first["example"]["template_id"], id);
    assert_eq!(total(&project, &format!("?search=template:{id}")), 3);
    let names: Vec<_> =
        list["templates"].as_array().unwrap().iter().map(|group| group["template"].clone()).collect();
    assert!(names.contains(&json!("Bonjour {name}")) && names.contains(&json!("Disk full")), "{names:?}");
    // Pages of templates.
    let mut seen: Vec<Value> = Vec::new();
    for offset in 0..3 {
        let page = read(&project, &format!("/templates?limit=1&offset={offset}"));
        assert_eq!((&page["total"], &page["has_more"]), (&json!(3), &json!(offset < 2)));
        seen.push(page["templates"][0]["template"].clone());
    }
    assert_eq!(seen, names);
}

#[test]
fn the_last_day_is_shown_where_no_time_is_given() {
    let project = Project::new();
    let old = with(entry(0, "old"), &json!({"timestamp": now() - 25 * 3_600_000}));
    post(&project, &json!([old, entry(0, "new")])).expect(202);
    until_total(&project, 2);
    assert_eq!(read(&project, "/histogram")["total"], 1);
    assert_eq!(read(&project, "/templates")["total"], 1);
    let all = format!("?start_time={}", iso(now() - 26 * 3_600_000));
    assert_eq!(read(&project, &format!("/histogram{all}"))["total"], 2);
}
