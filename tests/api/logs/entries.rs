//! Valid and invalid entries: unusable ones are dropped, the others are stored.

use super::{entry, iso, post, read, until_total, with};
use crate::support::{Project, Value, json};

/// Sends each text as an entry beside a valid one; returns how many were dropped of each batch.
fn dropped(project: &Project, entries: &[String]) -> Vec<u64> {
    let send = |text: &String| {
        let good = entry(0, "good");
        let body = format!(r#"{{"api_key":"{}","logs":[{text},{good}]}}"#, project.key);
        let answer =
            project.world.anonymous().post("/api/v1/logs/batch").body("application/json", body).send();
        let answer = answer.expect(202);
        assert_eq!(answer["accepted"].as_u64().unwrap() + answer["dropped"].as_u64().unwrap(), 2);
        answer["dropped"].as_u64().unwrap()
    };
    entries.iter().map(send).collect()
}

fn with_timestamp(given: &str) -> String {
    format!(r#"{{"timestamp":{given},"level":"info","message":"x"}}"#)
}

#[test]
fn times_are_of_the_years_1970_to_9999() {
    let project = Project::new();
    let good = [
        "0",
        "0.001",
        "1",
        "1795000000.5",
        "1795000000123",
        "1e9",
        "253402300799.999",
        "253402300799999",
        r#""2026-11-21T10:00:00Z""#,
        r#""2026-11-21T10:00:00.123456+02:00""#,
        r#""9999-12-31T23:59:59.999Z""#,
        r#""1970-01-01T00:00:00Z""#,
        r#""2026-11-21T10:00:00""#,
        "-0.0",
    ];
    let good: Vec<_> = good.iter().map(|given| with_timestamp(given)).collect();
    assert_eq!(dropped(&project, &good), vec![0; good.len()]);
    let bad = [
        "null",
        "-1",
        "-0.001",
        "1e400",
        "-1e400",
        "1e300",
        "253402300800",
        "253402300800000",
        "9999999999999999999999",
        "true",
        "[]",
        "{}",
        r#""""#,
        r#""x""#,
        r#""NaN""#,
        r#""Infinity""#,
        r#""1795000000""#,
        r#""1969-12-31T23:59:59Z""#,
        r#""10000-01-01T00:00:00Z""#,
        r#""2026-02-30T00:00:00Z""#,
        r#""-002026-01-01T00:00:00Z""#,
    ];
    let bad: Vec<_> = bad.iter().map(|given| with_timestamp(given)).collect();
    let missing = r#"{"level":"info","message":"x"}"#.to_owned();
    let bad = [bad, vec![missing]].concat();
    let told: Vec<_> =
        dropped(&project, &bad).into_iter().zip(&bad).filter(|(count, _)| *count != 1).collect();
    assert_eq!(told, []);
    until_total(&project, (good.len() * 2 + bad.len()) as u64);
    // NaN is not JSON at all.
    let body = format!(r#"{{"api_key":"{}","logs":[{}]}}"#, project.key, with_timestamp("NaN"));
    let post = project.world.anonymous().post("/api/v1/logs/batch").body("application/json", body);
    post.send().refuse(400, "not JSON");
}

#[test]
fn required_fields_of_an_entry() {
    let project = Project::new();
    let base = json!({"timestamp": 1_795_000_000, "level": "info", "message": "x"});
    let changed = |field: &str, value: Value| with(base.clone(), &json!({field: value})).to_string();
    let mut bad = vec!["5".into(), "null".into(), "\"x\"".into(), "[]".into(), "{}".into(), "true".into()];
    for value in [json!(null), json!(""), json!("loud"), json!(5), json!(["info"]), json!("info ")] {
        bad.push(changed("level", value));
    }
    for value in [json!(null), json!([]), json!({"a": 1})] {
        bad.push(changed("message", value));
    }
    bad.push(r#"{"timestamp":1795000000,"level":"info"}"#.into());
    bad.push(r#"{"timestamp":1795000000,"message":"x"}"#.into());
    let told: Vec<_> =
        dropped(&project, &bad).into_iter().zip(&bad).filter(|(count, _)| *count != 1).collect();
    assert_eq!(told, []);
    let mut good = Vec::new();
    for level in ["trace", "DEBUG", "Info", "warning", "WARN", "error", "fatal"] {
        good.push(changed("level", json!(level)));
    }
    good.push(changed("message", json!("")));
    good.push(changed("message", json!(5)));
    good.push(changed("message", json!(true)));
    assert_eq!(dropped(&project, &good), vec![0; good.len()]);
}

#[test]
fn an_entry_has_64_kib_and_64_levels_at_most() {
    let project = Project::new();
    let sized = |bytes: usize| {
        let empty = with_timestamp("1795000000").len() - 1;
        format!(r#"{{"timestamp":1795000000,"level":"info","message":"{}"}}"#, "x".repeat(bytes - empty))
    };
    assert_eq!(sized(64 << 10).len(), 64 << 10);
    assert_eq!(dropped(&project, &[sized(64 << 10), sized((64 << 10) + 1)]), [0, 1]);
    // The entry and its attributes are levels, too.
    let nested = |levels: usize| {
        let value = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"timestamp":1795000000,"level":"info","message":"x","attributes":{{"a":{value}}}}}"#)
    };
    assert_eq!(dropped(&project, &[nested(62), nested(63), nested(200), nested(20_000)]), [0, 1, 1, 1]);
    until_total(&project, 4 + 2 + 2);
    assert_eq!(read(&project, "?search=x")["logs"].as_array().unwrap().len(), 1);
}

#[test]
fn ten_thousand_attributes_are_stored_and_the_first_can_be_searched() {
    let project = Project::new();
    let attributes: serde_json::Map<_, _> = (0..10_000).map(|n| (format!("k{n:04}"), json!(1))).collect();
    let large = with(entry(0, "wide"), &json!({"attributes": attributes}));
    assert!(large.to_string().len() > 64 << 10);
    assert_eq!(post(&project, &json!([large])).expect(202)["dropped"], 1);
    let attributes: serde_json::Map<_, _> = (0..5_000).map(|n| (format!("k{n:04}"), json!(1))).collect();
    let wide = with(entry(0, "wide"), &json!({"attributes": attributes}));
    super::store(&project, &[wide]);
    let list = read(&project, "?search=attr.k0000:1");
    assert_eq!(list["total"], 1);
    assert_eq!(list["logs"][0]["attributes"].as_object().unwrap().len(), 5_000);
    assert_eq!(super::total(&project, "?search=attr.k0099:1"), 1);
    assert_eq!(super::total(&project, "?search=attr.k0100:1"), 0, "only a hundred can be asked for");
}

#[test]
fn attributes_that_are_no_object_are_stored_as_a_value() {
    let project = Project::new();
    for (number, (given, shown)) in [
        (json!({}), json!({})),
        (json!(null), json!({})),
        (json!([1, 2]), json!({"value": [1, 2]})),
        (json!("text"), json!({"value": "text"})),
        (
            json!({"a": {"b": [1, null, true, 1.5, "é\u{0}"]}}),
            json!({"a": {"b": [1, null, true, 1.5, "é\u{0}"]}}),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        super::store(&project, &[with(entry(number as i64, "x"), &json!({"attributes": given}))]);
        assert_eq!(read(&project, "?limit=1")["logs"][0]["attributes"], shown);
    }
}

#[test]
fn everything_that_was_sent_is_shown() {
    let project = Project::new();
    let time = super::now();
    let sent = json!({"timestamp": time as f64 / 1e3, "level": "WARNING", "message": "Order 7 failed",
        "trace_id": "ABC", "span_id": 5, "user": {"id": 42, "email": "ann@example.org"},
        "account": {"id": "7", "name": "Acme"}, "logger_name": "shop.orders", "file_path": "src/orders.rs",
        "line_number": 12, "function_name": "place", "attributes": {"order": 7}});
    super::store(&project, &[sent]);
    let shown = read(&project, "")["logs"][0].clone();
    let expected = json!({"level": "warn", "message": "Order 7 failed", "template": "Order {number} failed",
        "trace_id": "ABC", "span_id": "5", "user_id": "42", "user_email": "ann@example.org", "account_id": "7",
        "account_name": "Acme", "logger_name": "shop.orders", "file_path": "src/orders.rs", "line_number": 12,
        "function_name": "place", "attributes": {"order": 7}, "environment": "production", "release": null,
        "highlights": []});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(shown[name], *value, "{name}");
    }
    let shown_time: jiff::Timestamp = shown["timestamp"].as_str().unwrap().parse().unwrap();
    assert_eq!(shown_time.as_millisecond(), time, "{}", iso(time));
    let received_at: jiff::Timestamp = shown["received_at"].as_str().unwrap().parse().unwrap();
    assert!((time..=super::now()).contains(&received_at.as_millisecond()), "{received_at}");
    assert_eq!(shown["template_id"].as_str().unwrap().len(), 16);
}

#[test]
fn no_secret_is_stored() {
    let project = Project::new();
    let sent = with(
        entry(0, "Authorization: Bearer canary-1.canary-2.canary-3"),
        &json!({"attributes": {"password": "canary-4", "a": {"api_key": "canary-5"}, "fine": "kept"}}),
    );
    let by_name = with(
        entry(1, "POST /login with {\"password\":\"canary-6\"} and Cookie: sid=canary-7"),
        &json!({"attributes": {"headers": [["X-Api-Key", "canary-8"]], "body": "token=canary-9&a=b",
            "sk-canary0123456789abcdef": 1, "url": "https://canary-a@host/"}}),
    );
    super::store(&project, &[sent, by_name]);
    let list = read(&project, "").to_string();
    assert!(!list.contains("canary") && list.contains("kept"), "{list}");
    assert_eq!(super::total(&project, "?search=canary*"), 0);
    assert_eq!(super::total(&project, "?search=attr.password:canary-4"), 0);
}
