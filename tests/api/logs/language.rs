//! The language of `search`, through the index.

use super::{entry, found, read, store, store_with, with};
use crate::support::project::encoded;
use crate::support::{Project, Value, json};

#[test]
fn words_phrases_and_beginnings() {
    let project = Project::new();
    store(
        &project,
        &[
            entry(1, "Disk full on web-1"),
            entry(2, "full disk of user.created"),
            entry(3, "connection timed out after 30s"),
            entry(4, "東京のディスク Ошибка"),
        ],
    );
    let (first, second) = ("Disk full on web-1", "full disk of user.created");
    let (third, fourth) = ("connection timed out after 30s", "東京のディスク Ошибка");
    for (search, expected) in [
        ("disk", vec![second, first]),
        ("DISK full", vec![second, first]),
        ("\"disk full\"", vec![first]),
        ("dis", vec![]),
        ("dis*", vec![second, first]),
        ("\"timed o\"*", vec![third]),
        ("user.created", vec![second]),
        ("created.user", vec![]),
        ("disk -web", vec![second]),
        ("-disk", vec![fourth, third]),
        ("NOT disk NOT timed", vec![fourth]),
        ("web OR timed", vec![third, first]),
        ("disk web OR created", vec![second, first]),
        ("(disk web) OR timed", vec![third, first]),
        ("京", vec![fourth]),
        ("東京", vec![fourth]),
        ("京東", vec![]),
        ("ошибка", vec![fourth]),
        ("ошиб*", vec![fourth]),
        ("", vec![fourth, third, second, first]),
    ] {
        assert_eq!(found(&project, search), expected, "{search}");
    }
}

#[test]
fn fields_match_exactly() {
    let project = Project::new();
    let of = |at: i64, message: &str, fields| with(entry(at, message), &fields);
    let logs = [
        of(1, "a", json!({"level": "error", "user": {"id": "42"}, "logger_name": "Shop.DB"})),
        of(2, "b", json!({"level": "warn", "user": {"email": "Ann@Example.org"}, "function_name": "run()"})),
        of(
            3,
            "c",
            json!({"attributes": {"order": {"id": 1234}, "tags": ["x", "y"], "ok": true}, "trace_id": "T"}),
        ),
    ];
    store(&project, &logs);
    store_with(&project, &[entry(4, "d")], &json!({"environment": "Test", "release": "v1.2"}));
    for (search, expected) in [
        ("level:error", vec!["a"]),
        ("level:warning,ERROR", vec!["b", "a"]),
        ("severity:error", vec!["a"]),
        ("user:42", vec!["a"]),
        ("user:4", vec![]),
        ("user:4*", vec!["a"]),
        ("user_email:ann@example.org", vec!["b"]),
        ("logger:shop.db", vec!["a"]),
        ("logger:shop*", vec!["a"]),
        ("function:run()", vec!["b"]),
        ("attributes.order.id:1234", vec!["c"]),
        ("attr.order.id:12*", vec!["c"]),
        ("attr.Order.id:1234", vec![]),
        ("attr.tags:y", vec!["c"]),
        ("attr.ok:true", vec!["c"]),
        ("trace:t", vec!["c"]),
        ("environment:test release:V1.2", vec!["d"]),
        ("-env:production", vec!["d"]),
        ("level:info -attr.ok:true", vec!["d"]),
        ("user:42 OR release:v1.2", vec!["d", "a"]),
    ] {
        assert_eq!(found(&project, search), expected, "{search}");
    }
    let template = read(&project, "?search=a")["logs"][0]["template_id"].as_str().unwrap().to_owned();
    assert_eq!(found(&project, &format!("template:{template}")), ["a"]);
}

#[test]
fn a_number_is_found_in_every_spelling_of_it() {
    let project = Project::new();
    let of = |at: i64, message: &str, n: Value| with(entry(at, message), &json!({"attributes": {"n": n}}));
    let logs =
        [of(1, "a", json!(2.0)), of(2, "b", json!(2)), of(3, "c", json!("2.0")), of(4, "d", json!(8.41e21))];
    store(&project, &logs);
    for (search, expected) in [
        ("attr.n:2", vec!["b", "a"]),
        ("attr.n:2e0", vec!["b", "a"]),
        ("attr.n:2.0", vec!["c", "b", "a"]),
        ("attr.n:8410000000000000000000", vec!["d"]),
        ("attr.n:8.41e+21", vec!["d"]),
        ("-attr.n:2.00", vec!["d", "c"]),
    ] {
        assert_eq!(found(&project, search), expected, "{search}");
    }
}

#[test]
fn ids_in_hexadecimal_are_found_whole_and_by_their_beginning() {
    let project = Project::new();
    let (trace, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
    let of = |at: i64, message: &str, fields| with(entry(at, message), &fields);
    let logs = [
        of(1, "a", json!({"trace_id": trace, "span_id": span, "attributes": {"request": trace}})),
        of(2, "b", json!({"trace_id": "4bf92f", "attributes": {"request": "4BFx"}})),
    ];
    store(&project, &logs);
    for (search, expected) in [
        (format!("trace:{trace}"), vec!["a"]),
        (format!("trace:{}", trace.to_uppercase()), vec!["a"]),
        (format!("trace:{}", &trace[..31]), vec![]),
        (format!("trace:{}*", &trace[..31]), vec!["a"]),
        ("trace:4bf92f*".to_owned(), vec!["b", "a"]),
        ("trace:4bf92*".to_owned(), vec!["b", "a"]),
        ("trace:4bf92f3*".to_owned(), vec!["a"]),
        ("trace:4bf93*".to_owned(), vec![]),
        ("span:00f*".to_owned(), vec!["a"]),
        ("attr.request:4bf*".to_owned(), vec!["b", "a"]),
        ("attr.request:4bfx".to_owned(), vec!["b"]),
    ] {
        assert_eq!(found(&project, &search), expected, "{search}");
    }
    let values = read(&project, "/fields?field=trace");
    let values: Vec<_> = values["values"].as_array().unwrap().iter().map(|value| &value["value"]).collect();
    assert_eq!(values, [&json!("4bf92f"), &json!(trace)]);
}

#[test]
fn paths_of_attributes_may_be_quoted() {
    let project = Project::new();
    let attributes = json!({"order id": 7, "a:b": {"\"c\"": "x y"}});
    store(&project, &[with(entry(1, "a"), &json!({"attributes": attributes})), entry(2, "b")]);
    for (search, expected) in [
        ("\"attributes.order id\":7", vec!["a"]),
        ("-\"attributes.order id\":7", vec!["b"]),
        ("\"attr.a:b.\\\"c\\\"\":\"x y\"", vec!["a"]),
        ("\"attr.order id\":8", vec![]),
    ] {
        assert_eq!(found(&project, search), expected, "{search}");
    }
}

/// What was hit is marked as browsers count.
#[test]
fn hits_are_marked_in_utf16() {
    let project = Project::new();
    store(&project, &[entry(0, "😀 disk full, disk")]);
    let marks = |search: &str| {
        read(&project, &format!("?search={}", encoded(search)))["logs"][0]["highlights"].clone()
    };
    assert_eq!(marks("disk"), json!([[3, 7], [14, 18]]));
    assert_eq!(marks("\"disk full\""), json!([[3, 12]]));
    assert_eq!(marks("level:info"), json!([]));
    assert_eq!(marks("-nope"), json!([]));
}
