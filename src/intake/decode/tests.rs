use super::*;
use serde_json::{Value, json};

fn now() -> Timestamp {
    Timestamp::parse("2026-11-21T12:00:00Z").unwrap()
}

fn accept(value: &Value) -> Value {
    let body = value.to_string();
    serde_json::to_value(event(parse(body.as_bytes()).unwrap(), None, now()).unwrap()).unwrap()
}

fn refuse(value: &Value) -> String {
    let body = value.to_string();
    match parse(body.as_bytes()).and_then(|tree| event(tree, None, now()).map(|_| ())) {
        Err(Error::Invalid(text)) => text.into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_smallest_event_gets_its_defaults() {
    let event = accept(&json!({"message": "hello"}));
    assert_eq!(event["type"], "message");
    assert_eq!(event["level"], "info");
    assert_eq!(event["environment"], "production");
    assert_eq!(event["timestamp"], now().millis());
    assert_eq!(event["timestamp_replaced"], true);
    assert_eq!(event["event_id"].as_str().unwrap().len(), 32);
}

#[test]
fn every_wrong_type_names_its_path() {
    let exception = json!({"type": "E"});
    for (field, value, path) in [
        ("exception", json!("boom"), "exception"),
        ("exception", json!({"type": 5}), "exception.type"),
        ("exception", json!({"type": "E", "cause": {"cause": []}}), "exception.cause.cause"),
        ("exception", json!({"type": "E", "frames": [{}, {"lineno": "7"}]}), "exception.frames[1].lineno"),
        ("exception", json!({}), "exception"),
        ("type", json!("transaction"), "type"),
        ("level", json!("loud"), "level"),
        ("level", json!(3), "level"),
        ("environment", json!([]), "environment"),
        ("release", json!(1.5), "release"),
        ("event_id", json!(""), "event_id"),
        ("event_id", json!("x".repeat(129)), "event_id"),
        ("event_id", json!(5), "event_id"),
        ("user", json!("ada"), "user"),
        ("user", json!({"email": {}}), "user.email"),
        ("account", json!([]), "account"),
        ("tags", json!([]), "tags"),
        ("tags", json!({"a": {}}), "tags.a"),
        ("breadcrumbs", json!({}), "breadcrumbs"),
        ("breadcrumbs", json!([5]), "breadcrumbs[0]"),
        ("exception", json!({"frames": [{"vars": [1]}]}), "exception.frames[0].vars"),
        ("fingerprint", json!("x"), "fingerprint"),
        ("fingerprint", json!(["x", 5]), "fingerprint[1]"),
        ("fingerprint", json!([true]), "fingerprint[0]"),
        ("extra", json!([]), "extra"),
        ("contexts", json!("x"), "contexts"),
        ("sdk", json!("x"), "sdk"),
        ("url", json!(5), "url"),
    ] {
        let mut event = json!({"exception": exception});
        event[field] = value.clone();
        let text = refuse(&event);
        assert!(text.starts_with(&format!("{path}: expected")), "{field} {value}: {text}");
    }
}

#[test]
fn exception_or_message_is_required() {
    assert!(refuse(&json!({})).starts_with("message: missing"));
    assert!(refuse(&json!({"type": "exception", "message": "x"})).starts_with("exception: missing"));
    assert!(refuse(&json!({"type": "message", "exception": {"type": "E"}})).starts_with("message: missing"));
}

#[test]
fn null_counts_as_missing() {
    let event = accept(&json!({"exception": {"type": "E"}, "message": null, "user": null, "level": null}));
    assert_eq!(event["level"], "error");
    assert_eq!(event.get("user"), None);
}

#[test]
fn values_over_their_limit_are_cut_and_listed() {
    let tags: serde_json::Map<_, _> = (0..101).map(|n| (format!("k{n:03}"), json!("v"))).collect();
    let crumbs: Vec<_> = (0..101).map(|n| json!({"message": n.to_string()})).collect();
    let frames: Vec<_> = (0..251).map(|n| json!({"function": n.to_string()})).collect();
    let event = accept(&json!({
        "exception": {"type": "E", "message": "ü".repeat(8193), "frames": frames},
        "url": "u".repeat(2049), "release": "r".repeat(129), "environment": "e".repeat(65),
        "tags": tags, "breadcrumbs": crumbs, "extra": {"big": "x".repeat(70_000), "small": 1},
    }));
    assert_eq!(event["exception"]["message"].as_str().unwrap().chars().count(), 8192);
    assert_eq!(event["tags"].as_object().unwrap().len(), 100);
    assert_eq!(event["exception"]["frames"].as_array().unwrap().len(), 250);
    let crumbs = event["breadcrumbs"].as_array().unwrap();
    assert_eq!((crumbs.len(), &crumbs[99]["message"]), (100, &json!("100")), "the newest stay");
    assert_eq!(event["extra"], json!({"small": 1}));
    let cut: Vec<&str> = event["truncated"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for path in [
        "exception.message",
        "exception.frames",
        "url",
        "release",
        "environment",
        "tags",
        "breadcrumbs",
        "extra.big",
    ] {
        assert!(cut.contains(&path), "{path} in {cut:?}");
    }
}

#[test]
fn a_time_is_accepted_from_30_days_ago_to_an_hour_ahead() {
    for (sent, used) in [
        ("2026-11-21T13:00:00Z", true),
        ("2026-11-21T13:00:01Z", false),
        ("2026-10-22T12:00:00Z", true),
        ("2026-10-22T11:59:59Z", false),
        ("tomorrow", false),
    ] {
        let event = accept(&json!({"message": "x", "timestamp": sent}));
        assert_eq!(event.get("timestamp_replaced").is_none(), used, "{sent}");
        assert_eq!(event.get("sent_timestamp").is_none(), used, "{sent}");
    }
}

#[test]
fn an_event_id_is_kept_exactly_as_sent() {
    for id in ["..", "a/../b\u{0}", "ü".repeat(128).as_str()] {
        assert_eq!(accept(&json!({"message": "x", "event_id": id}))["event_id"], id);
    }
}

#[test]
fn numbers_are_accepted_as_ids_and_tags() {
    let event =
        accept(&json!({"message": "x", "user": {"id": 42}, "tags": {"n": 1, "b": true, "none": null}}));
    assert_eq!(event["user"]["id"], "42");
    assert_eq!(event["tags"], json!({"n": "1", "b": "true"}));
}

#[test]
fn nesting_is_accepted_to_64_levels() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse(nested(64).as_bytes()).is_ok());
    assert!(matches!(parse(nested(65).as_bytes()), Err(Error::Invalid(_))));
    assert!(matches!(parse(nested(200_000).as_bytes()), Err(Error::Invalid(_))));
    assert!(matches!(parse(b"{\"a\": "), Err(Error::Malformed(_))));
    assert!(matches!(parse(b"{\"a\": \"\xff\"}"), Err(Error::Malformed(_))));
    assert!(matches!(parse(b"{} {}"), Err(Error::Malformed(_))));
}

#[test]
fn an_accepted_event_is_read_back_unchanged() {
    let body =
        json!({"exception": {"type": "E", "cause": {"type": "C"}}, "extra": {"a": [1, -2, 1.5, null, "x\n"]},
        "breadcrumbs": [{"timestamp": 1_790_000_000_000_u64, "data": {"to": "/x"}}]})
        .to_string();
    let first = event(parse(body.as_bytes()).unwrap(), None, now()).unwrap();
    let stored = serde_json::to_vec(&first).unwrap();
    let again: Accepted<'_> = serde_json::from_slice(&stored).unwrap();
    assert_eq!(serde_json::to_vec(&again).unwrap(), stored);
}

#[test]
fn what_variables_hold_is_bounded_those_nearest_to_the_throw_first() {
    let frame = |vars: serde_json::Value| json!({"function": "f", "vars": vars});
    let frames: Vec<_> = (0..12).map(|n| frame(json!({"big": "x".repeat(15_000), "n": n}))).collect();
    let event = accept(&json!({"exception": {"type": "E", "frames": frames}}));
    let kept = event["exception"]["vars"].as_array().unwrap();
    let with_big: Vec<_> =
        kept.iter().filter(|one| one["vars"].get("big").is_some()).map(|one| &one["frame"]).collect();
    assert_eq!(with_big, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(kept[11]["vars"], json!({"n": 11}));
    assert_eq!(event["truncated"][0], "exception.frames[8].vars.big");

    let frames =
        [frame(json!({"big": "x".repeat(17_000), "small": 1})), frame(json!({})), frame(json!(null))];
    let event = accept(&json!({"exception": {"type": "E", "frames": frames}}));
    assert_eq!(event["exception"]["vars"], json!([{"frame": 0, "vars": {"small": 1}}]));
    assert_eq!(event["truncated"], json!(["exception.frames[0].vars.big"]));
}

#[test]
fn what_variables_of_the_root_cause_hold_comes_before_those_of_what_it_led_to() {
    // 100 kB in each.
    let frames = || {
        let frame = json!({"function": "f", "vars": {"big": "x".repeat(12_500)}});
        vec![frame; 8]
    };
    let root = json!({"type": "Root", "frames": frames()});
    let event = accept(&json!({"exception": {"type": "Outer", "frames": frames(), "cause": root}}));
    let kept = |exception: &serde_json::Value| exception["vars"].as_array().map_or(0, Vec::len);
    let outer = &event["exception"];
    assert_eq!((kept(&outer["cause"]), kept(outer)), (8, 2));
    let cut: Vec<_> = (2..8).map(|n| format!("exception.frames[{n}].vars.big")).collect();
    assert_eq!(event["truncated"], json!(cut));

    let cause = json!({"type": "Middle", "frames": frames(), "cause": root});
    let event = accept(&json!({"exception": {"type": "Outer", "frames": frames(), "cause": cause}}));
    let cause = &event["exception"]["cause"];
    assert_eq!((kept(&cause["cause"]), kept(cause), kept(&event["exception"])), (8, 2, 0));
    assert_eq!(event["truncated"][0], "exception.cause.frames[2].vars.big");
}

#[test]
fn what_breadcrumbs_carry_is_bounded_the_newest_first() {
    let crumbs: Vec<_> = (0..100).map(|n| json!({"data": {"big": "x".repeat(8_000), "n": n}})).collect();
    let event = accept(&json!({"message": "x", "breadcrumbs": crumbs}));
    let kept = event["breadcrumbs"].as_array().unwrap();
    let with_big = kept.iter().filter(|crumb| crumb["data"].get("big").is_some()).count();
    assert_eq!((with_big, kept[99]["data"]["n"].as_u64()), (32, Some(99)));
    assert!(kept[99]["data"].get("big").is_some(), "the newest");
    assert!(event.to_string().len() < 300_000);
    assert_eq!(event["truncated"][0], "breadcrumbs[67].data.big");

    let data =
        [json!({"big": "x".repeat(17_000), "small": 1}), json!("x".repeat(17_000)), json!("y"), json!([1])];
    let crumbs: Vec<_> = data.iter().map(|data| json!({"data": data})).collect();
    let event = accept(&json!({"message": "x", "breadcrumbs": crumbs}));
    let kept: Vec<_> =
        event["breadcrumbs"].as_array().unwrap().iter().map(|crumb| crumb.get("data")).collect();
    assert_eq!(kept, [Some(&json!({"small": 1})), None, Some(&json!("y")), Some(&json!([1]))]);
    assert_eq!(event["truncated"], json!(["breadcrumbs[1].data", "breadcrumbs[0].data.big"]));
}

#[test]
fn for_a_tag_given_twice_the_last_value_counts() {
    let tags = |tags: &str| {
        let body = format!("{{\"message\": \"x\", \"tags\": {tags}}}");
        let event = event(parse(body.as_bytes()).unwrap(), None, now()).unwrap();
        serde_json::to_string(&event.tags).unwrap()
    };
    assert_eq!(tags(r#"{"a": "1", "b": "2", "a": "3"}"#), r#"{"a":"3","b":"2"}"#);
    assert_eq!(tags(r#"{"a": "1", "b": "2", "a": null}"#), r#"{"b":"2"}"#);
    let long = "x".repeat(200);
    assert_eq!(tags(&format!(r#"{{"{long}1": "1", "{long}2": "2"}}"#)), format!(r#"{{"{long}":"2"}}"#));
    let many: String = (0..100).map(|n| format!("\"k{n}\": \"v\", ")).collect();
    let kept = tags(&format!(r#"{{{many}"more": "no", "k0": "last"}}"#));
    assert!(kept.starts_with(r#"{"k0":"last","k1":"v""#) && !kept.contains("more"), "{kept}");
}
