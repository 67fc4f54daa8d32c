use super::*;
use crate::event::log_entry::tests::plain;

const NOW: i64 = 1_795_000_000_000;

fn filters(fill: impl FnOnce(&mut Filters)) -> Filters {
    let mut filters = Filters::default();
    fill(&mut filters);
    filters
}

fn refused(filters: &Filters) -> String {
    let told = filters.scope(ProjectId(1)).unwrap_err();
    assert!(matches!(told, Error::Invalid { .. }), "{told:?}");
    told.to_string()
}

fn levels(given: &str) -> Filters {
    filters(|filters| filters.levels = Some(given.into()))
}

fn between(start: &str, end: &str) -> Filters {
    let of = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    filters(|filters| (filters.start_time, filters.end_time) = (of(start), of(end)))
}

#[test]
fn an_environment_is_added_to_the_words() {
    let of = |environment: &str, search: &str| {
        let given = filters(|filters| {
            (filters.environment, filters.search) = (Some(environment.into()), Some(search.into()))
        });
        given.query().unwrap()
    };
    assert_eq!(of("Production", ""), Some(fact("environment", "production")));
    assert_eq!(of("", "a"), filters(|filters| filters.search = Some("a".into())).query().unwrap());
    // Words keep their meaning: a search for signs alone, and one that begins with an operator.
    for words in ["!=", "| ERROR foo"] {
        let alone = filters(|filters| filters.search = Some(words.into())).query().unwrap().unwrap();
        assert_eq!(of("qa", words), Some(Node::All(vec![fact("environment", "qa"), alone])), "{words}");
    }
    let long = filters(|filters| filters.environment = Some("x".repeat(201)));
    assert!(refused(&long).starts_with("environment: expected at most 200 bytes"));
}

#[test]
fn without_filters_everything_is_selected() {
    let scope = Filters::default().scope(ProjectId(1)).unwrap();
    assert_eq!((scope.start.millis(), scope.query), (0, None));
    assert_eq!(scope.end, Timestamp::from_millis(i64::MAX));
    let all = levels("trace,debug,info,warn,error,fatal");
    assert_eq!(all.query().unwrap(), None, "all levels narrow nothing");
    assert_eq!(filters(|filters| filters.search = Some(" ".into())).query().unwrap(), None);
}

#[test]
fn filters_are_joined_by_and() {
    let both = Filters {
        levels: Some(" ERROR,warning,, ".into()),
        trace_id: Some("ABC".into()),
        search: Some("disk".into()),
        ..Filters::default()
    };
    let Some(Node::All(parts)) = both.query().unwrap() else { panic!("no AND") };
    assert_eq!(parts[0], Node::Any(vec![fact("level", "error"), fact("level", "warn")]));
    assert_eq!(parts[1], fact("trace", "abc"));
    assert_eq!(parts[2], Node::Words { words: vec!["disk".into()], open: false });
}

#[test]
fn invalid_filters_are_refused_by_name() {
    assert!(refused(&levels("error,loud")).starts_with("levels: expected some of trace, debug"));
    assert!(refused(&levels(&"x".repeat(10_000))).len() < 300);
    let trace = |length: usize| filters(|filters| filters.trace_id = Some("t".repeat(length)));
    assert_eq!(refused(&trace(201)), "trace_id: expected at most 200 bytes, got 201");
    assert!(trace(200).query().is_ok());
    for wrong in ["yesterday", "1795000000", "2026-13-01T00:00:00Z", "-1", "NaN"] {
        assert!(refused(&between(wrong, "")).starts_with("start_time: expected an ISO 8601 time"));
        assert!(refused(&between("", wrong)).starts_with("end_time: expected an ISO 8601 time"));
    }
    let turned = between("2026-11-21T10:00:00.001Z", "2026-11-21T10:00:00Z");
    assert!(refused(&turned).starts_with("end_time: expected a time at or after start_time"));
    assert!(turned.recent(ProjectId(1), Timestamp::from_millis(NOW)).is_err());
    assert!(between("2026-11-21T10:00:00Z", "2026-11-21T12:00:00+02:00").scope(ProjectId(1)).is_ok());
}

#[test]
fn the_default_range_is_the_last_day() {
    let now = Timestamp::from_millis(NOW);
    let recent = |start: &str, end: &str| {
        let scope = between(start, end).recent(ProjectId(1), now).unwrap();
        (scope.start.millis(), scope.end.millis())
    };
    assert_eq!(recent("", ""), (NOW - DAY, NOW));
    let (start, end) = (Timestamp::from_millis(NOW - 9 * DAY), Timestamp::from_millis(NOW - 3 * DAY));
    assert_eq!(recent(&start.to_string(), &end.to_string()), (start.millis(), end.millis()));
    assert_eq!(recent("", &end.to_string()), (end.millis() - DAY, end.millis()));
    assert_eq!(recent(&start.to_string(), ""), (start.millis(), NOW));
    let ahead = Timestamp::from_millis(NOW + DAY);
    assert_eq!(recent(&ahead.to_string(), ""), (NOW + DAY, NOW + 2 * DAY));
    assert_eq!(recent("", "1970-01-01T00:00:01Z"), (0, 1_000), "never before the first moment");
}

#[test]
fn highlights_are_counted_as_browsers_do() {
    let of = |query: &str, message: &str| highlights(&query::parse(query).unwrap().unwrap(), message);
    assert_eq!(of("disk", "the disk"), [[4, 8]]);
    assert_eq!(of("disk", "é disk"), [[2, 6]]);
    // Two code units each; characters of the first plane have one.
    assert_eq!(of("disk", "😀😀 disk 😀 disk"), [[5, 9], [13, 17]]);
    assert_eq!(of("東京", "😀東京"), [[2, 4]]);
    assert_eq!(of("nope", "x"), [[0; 2]; 0]);
    assert_eq!(of("\"a b\" \"b c\"", "😀 a b c"), [[3, 8]]);
}

#[test]
fn an_entry_is_shown_with_all_its_fields() {
    let entry = Entry {
        attributes: Some(r#"{"a":[1,{"b":null}]}"#.into()),
        line_number: Some(7),
        trace_id: Some("abc".into()),
        ..plain("disk full")
    };
    let received_at = Timestamp::from_millis(NOW);
    let shared = Shared { received_at, environment: "test", release: Some("1.0") };
    let query = query::parse("full").unwrap();
    let shown = serde_json::to_value(LogEntry::new(EntryId(130), entry, shared, query.as_ref())).unwrap();
    assert_eq!(shown["id"], 130);
    assert_eq!(shown["timestamp"], "2026-11-18T11:06:40.123456Z");
    assert_eq!(shown["received_at"], "2026-11-18T11:06:40.000Z");
    assert_eq!((&shown["level"], &shown["release"]), (&"info".into(), &"1.0".into()));
    assert_eq!(shown["attributes"]["a"][1]["b"], serde_json::Value::Null);
    assert_eq!(shown["highlights"], serde_json::json!([[5, 9]]));
    let shared = Shared { received_at, environment: "e", release: None };
    let shown = LogEntry::new(EntryId(1), plain("x"), shared, None);
    let shown = serde_json::to_value(shown).unwrap();
    assert_eq!(
        (&shown["attributes"], &shown["highlights"]),
        (&serde_json::json!({}), &serde_json::json!([]))
    );
    let nothing = ["trace_id", "user_id", "account_name", "logger_name", "line_number", "release"];
    assert!(nothing.iter().all(|name| shown[name].is_null()), "{shown}");
}
