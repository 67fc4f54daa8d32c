//! Pages: each entry once, newest first, with exact counts.

use super::{entry, iso, messages, now, post, read, store, total, with};
use crate::support::{Project, Value, json};
use std::collections::BTreeSet;

fn ids(list: &Value) -> Vec<i64> {
    list["logs"].as_array().unwrap().iter().map(|entry| entry["id"].as_i64().unwrap()).collect()
}

/// Every id, page after page.
fn walk(project: &Project, query: &str, limit: usize) -> Vec<i64> {
    let mut all = Vec::new();
    loop {
        let list = read(project, &format!("?limit={limit}&offset={}&{query}", all.len()));
        let page = ids(&list);
        let more = (all.len() + page.len()) < list["total"].as_u64().unwrap() as usize;
        assert_eq!(list["has_more"], more, "{list}");
        assert!(page.len() == limit || !more, "{} of {limit}", page.len());
        all.extend(page);
        if !more {
            return all;
        }
    }
}

#[test]
fn entries_are_in_the_order_of_microseconds() {
    let project = Project::new();
    let second = now() / 1_000 - 60;
    let at = |micros: u32| {
        format!("{}.{micros:06}", jiff::Timestamp::from_second(second).unwrap().strftime("%FT%T"))
    };
    let sent = |micros: u32| with(entry(0, &format!("n{micros}")), &json!({"timestamp": at(micros) + "Z"}));
    // In no order, in several commits of the index, and one as a number.
    for part in [[123_457, 123_001], [123_999, 123_456], [124_000, 122_999]] {
        store(&project, &part.map(sent));
    }
    let number = json!({"timestamp": format!("{second}.123458").parse::<f64>().unwrap()});
    store(&project, &[with(entry(0, "n123458"), &number)]);
    let list = read(&project, "");
    let order = ["n124000", "n123999", "n123458", "n123457", "n123456", "n123001", "n122999"];
    assert_eq!(messages(&list), order);
    assert_eq!(list["logs"][2]["timestamp"], at(123_458) + "Z");
    let within = format!("?start_time={}Z&end_time={}Z", at(123_456), at(123_458));
    let list = read(&project, &within);
    assert_eq!(
        (messages(&list), &list["total"]),
        (order[2..5].iter().map(ToString::to_string).collect(), &json!(3))
    );
    let id = list["logs"][1]["id"].as_i64().unwrap();
    let context = read(&project, &format!("/context?id={id}&before=1&after=1"));
    assert_eq!(
        (&context["before"][0]["message"], &context["after"][0]["message"]),
        (&json!("n123456"), &json!("n123458"))
    );
}

#[test]
fn paging_shows_each_entry_once_newest_first() {
    let project = Project::new();
    // In no order, and in several commits of the index.
    for part in 0..3 {
        let logs: Vec<_> = (0..120).map(|number| entry((number * 37 + part) % 120, "one of many")).collect();
        store(&project, &logs);
    }
    for limit in [1_000, 100, 7] {
        for query in ["", "search=many"] {
            let all = walk(&project, query, limit);
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 360, "{limit} {query}");
            assert_eq!(all.len(), 360);
        }
    }
    let list = read(&project, "?limit=360");
    let times: Vec<&str> =
        list["logs"].as_array().unwrap().iter().map(|entry| entry["timestamp"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|a, b| a >= b), "{times:?}");
    let beyond = read(&project, "?offset=360");
    assert_eq!(
        (&beyond["logs"], &beyond["total"], &beyond["has_more"]),
        (&json!([]), &json!(360), &json!(false))
    );
}

#[test]
fn a_page_of_long_entries_ends_early_and_has_a_cursor() {
    let project = Project::new();
    let long = "long ".repeat(12_000);
    let logs: Vec<_> = (0..300).map(|number| entry(number, &format!("{number} {long}"))).collect();
    store(&project, &logs);
    let first = read(&project, "?limit=1000");
    let shown = ids(&first).len();
    assert!((100..300).contains(&shown), "{shown}");
    assert_eq!((&first["total"], &first["has_more"]), (&json!(300), &json!(true)));
    let rest = read(&project, &format!("?limit=1000&offset={shown}"));
    assert_eq!(
        rest["logs"][0]["message"].as_str().unwrap().split(' ').next(),
        Some(&*(299 - shown).to_string())
    );
    let middle = &rest["logs"][0]["id"];
    let around = project.owner.get(&project.path(&format!("/logs/context?id={middle}&before=500&after=500")));
    let around = around.send().expect(200);
    let number = |entry: &Value| -> usize {
        entry["message"].as_str().unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    let (before, after) = (around["before"].as_array().unwrap(), around["after"].as_array().unwrap());
    assert_eq!(before.last().map(number), Some(298 - shown), "the nearest are shown");
    assert_eq!(after.first().map(number), Some(300 - shown));
}

#[test]
fn entries_of_one_moment_have_an_order_too() {
    let project = Project::new();
    let moment = now() - 1_000;
    for _ in 0..4 {
        let logs: Vec<_> =
            (0..300).map(|_| with(entry(0, "at once"), &json!({"timestamp": moment}))).collect();
        store(&project, &logs);
    }
    for query in ["", "search=once", "levels=info"] {
        let all = walk(&project, query, 150);
        assert_eq!(all.len(), 1_200);
        assert!(all.is_sorted_by(|a, b| a > b), "the newest id first");
    }
    assert_eq!(total(&project, &format!("?start_time={0}&end_time={0}", iso(moment))), 1_200);
}

/// Entries of the same time and newer ones arrive meanwhile: paging still misses none.
#[test]
fn paging_through_a_large_moment_while_more_comes_in_misses_none() {
    let project = Project::new();
    let moment = now() - 1_000;
    let of = |count: usize, time: i64, message: &str| {
        vec![with(entry(0, message), &json!({"timestamp": time})); count]
    };
    for part in 0..5 {
        let message = if part % 2 == 0 { "even" } else { "odd" };
        store(&project, &of(2_000, moment, message));
    }
    let until = format!("end_time={}", iso(moment));
    let before = walk(&project, &until, 1_000);
    assert_eq!(before.len(), 10_000);
    assert!(before.is_sorted_by(|a, b| a > b), "the newest id first");
    let even = walk(&project, &format!("search=even&{until}"), 500);
    let later: Vec<Value> = of(100, moment + 500, "even");
    let mut walked = Vec::new();
    while walked.len() < 6_000 {
        // Stored, and mostly not indexed yet.
        assert_eq!(post(&project, &json!(later)).status(), 202);
        let page = ids(&read(&project, &format!("?limit=500&offset={}&search=even&{until}", walked.len())));
        assert_eq!(page.len(), 500);
        walked.extend(page);
    }
    assert_eq!(walked, even);
    // New entries of the same time have higher ids: they come first and shift the rest.
    let mut seen = BTreeSet::new();
    for page in 0..6_000 / 500 {
        assert_eq!(post(&project, &json!(of(10, moment, "even"))).status(), 202);
        seen.extend(ids(&read(&project, &format!("?limit=500&offset={}&search=even&{until}", page * 500))));
    }
    let rest = read(&project, &format!("?limit=1000&offset=6000&search=even&{until}"));
    seen.extend(ids(&rest));
    assert!(even.iter().all(|id| seen.contains(id)), "an entry was missed");
}
