//! The fields of a project's entries, and their values.

use super::{entry, read, store, store_with, with};
use crate::support::{Project, Value, json};

fn values(project: &Project, field: &str) -> Vec<(String, u64)> {
    let list = read(project, &format!("/fields?field={field}"));
    let values = list["values"].as_array().unwrap();
    let of = |value: &Value| (value["value"].as_str().unwrap().to_owned(), value["count"].as_u64().unwrap());
    values.iter().map(of).collect()
}

#[test]
fn values_have_their_counts_the_most_frequent_first() {
    let project = Project::new();
    let of = |at: i64, fields: Value| with(entry(at, "x"), &fields);
    store(
        &project,
        &[of(0, json!({"level": "error", "user": {"id": "Ann", "email": "ann"}})), of(1, json!({}))],
    );
    let logs = [
        of(2, json!({"user": {"id": "bob"}, "attributes": {"order": {"id": 7}, "tags": ["a", "b", "a"]}})),
        of(3, json!({"user": {"id": "ANN"}})),
    ];
    store_with(&project, &logs, &json!({"environment": "Test"}));
    let one = |value: &str, count| (value.to_owned(), count);
    assert_eq!(values(&project, "level"), [one("info", 3), one("error", 1)]);
    // A user who is in an entry twice counts once.
    assert_eq!(values(&project, "user"), [one("ann", 2), one("bob", 1)]);
    assert_eq!(values(&project, "user_id"), values(&project, "user"));
    assert_eq!(values(&project, "environment"), [one("production", 2), one("test", 2)]);
    assert_eq!(values(&project, "attributes.order.id"), [one("7", 1)]);
    assert_eq!(values(&project, "attr.tags"), [one("a", 1), one("b", 1)]);
    assert_eq!(values(&project, "attr.none"), []);
    assert_eq!(values(&project, "level&search=user:ann"), [one("error", 1), one("info", 1)]);
    let page = read(&project, "/fields?field=level&limit=1");
    assert_eq!(
        (&page["total"], &page["has_more"], &page["fields"]),
        (&json!(2), &json!(true), &json!(["level"]))
    );
    let page = read(&project, "/fields?field=level&limit=1&offset=1");
    assert_eq!((&page["values"][0]["value"], &page["has_more"]), (&json!("error"), &json!(false)));
}

#[test]
fn fields_are_those_that_entries_have_with_how_many_have_them() {
    let project = Project::new();
    let fields = json!({"trace_id": "t", "user": {"id": "1", "email": "ann@example.org"},
        "attributes": {"b": [1, 2], "a": {"c": 2}}});
    store(&project, &[with(entry(0, "x"), &fields), entry(1, "y")]);
    let list = read(&project, "/fields");
    let expected =
        json!(["attributes.a.c", "attributes.b", "environment", "level", "template", "trace", "user"]);
    assert_eq!(list["fields"], expected);
    // An entry with two values counts once.
    let counts = json!({"attributes.a.c": 1, "attributes.b": 1, "environment": 2, "level": 2, "template": 2,
        "trace": 1, "user": 1});
    assert_eq!(list["counts"], counts);
    assert_eq!(
        (&list["total"], &list["has_more"], &list["is_complete"]),
        (&json!(7), &json!(false), &json!(true))
    );
    let narrowed = read(&project, "/fields?search=y");
    assert_eq!(narrowed["fields"], json!(["environment", "level", "template"]));
    assert_eq!(narrowed["counts"], json!({"environment": 1, "level": 1, "template": 1}));
    assert_eq!(read(&project, "/fields?search=nothing")["counts"], json!({}));
}
