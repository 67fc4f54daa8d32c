use super::*;
use crate::mcp::tools::TOOLS;

static INNER: Record = Record::new(
    Origin::Event,
    &[Field::required("title", Form::Text(5)), Field::optional("data", Form::Json(20))],
);
static OUTER: Record = Record::new(
    Origin::Server,
    &[
        Field::required("issue_id", Form::Whole).from("id"),
        Field::optional("at", Form::Text(9)),
        Field::group("sent", &INNER),
        Field::required("rows", Form::List(3, 100, &INNER)),
        Field::required("names", Form::Texts(2, 3)),
    ],
);

#[test]
fn a_result_has_exactly_its_fields_within_their_limits() {
    let source = json!({"id": 7, "at": null, "title": "12\u{202e}\u{7}3456", "data": {"a": 1}, "secret": "x",
        "rows": [{"title": "a"}], "names": ["abcd", "b", "c"]});
    let expected = json!({"origin": "server", "issue_id": 7,
        "sent": {"origin": "event", "title": "123…", "data": "{\"a\":1}"},
        "rows": [{"origin": "event", "title": "a"}], "names": ["ab…", "b"]});
    assert_eq!(OUTER.of(&source), expected);
}

#[test]
fn a_list_holds_as_many_rows_as_fit_and_at_least_one() {
    let of = |titles: &[&str]| {
        let rows: Vec<Value> = titles.iter().map(|title| json!({ "title": title })).collect();
        OUTER.of(&json!({"id": 1, "rows": rows, "title": "x", "names": []}))["rows"].as_array().unwrap().len()
    };
    assert_eq!((of(&[]), of(&["abcde"; 2]), of(&["abcde"; 9])), (0, 2, 2));
    static WIDE: Record = Record::new(Origin::Event, &[Field::required("title", Form::Text(500))]);
    static LIST: Record = Record::new(Origin::Server, &[Field::required("rows", Form::List(3, 100, &WIDE))]);
    let value = LIST.of(&json!({"rows": [{"title": "é".repeat(400)}, {"title": "a"}]}));
    assert_eq!(value["rows"].as_array().unwrap().len(), 1);
}

#[test]
fn an_object_that_is_too_long_loses_rows_of_its_longest_list() {
    let mut value = json!({"a": ["x", "y"], "b": ["é".repeat(50), "é".repeat(60)], "c": 1});
    fit(&mut value, 100);
    assert_eq!(value, json!({"a": ["x", "y"], "b": ["é".repeat(50)], "c": 1}));
    fit(&mut value, 1);
    assert_eq!(value, json!({"a": [], "b": [], "c": 1}));
}

/// The paths in a schema of values without a known type or origin.
fn without_origin(path: &str, schema: &Value, origin: Option<&str>, found: &mut Vec<String>) {
    match schema["type"].as_str() {
        Some("object") => {
            let origin = schema["properties"][ORIGIN]["const"].as_str();
            let is_known = origin.is_some_and(|origin| Origin::ALL.iter().any(|one| one.as_str() == origin));
            let is_required = schema["required"].as_array().unwrap().contains(&json!(ORIGIN));
            if !is_known || !is_required || schema["additionalProperties"] != false {
                found.push(path.to_owned());
            }
            for (name, schema) in schema["properties"].as_object().unwrap() {
                if name != ORIGIN {
                    without_origin(&format!("{path}.{name}"), schema, origin, found);
                }
            }
        }
        Some("array") => without_origin(&format!("{path}[]"), &schema["items"], origin, found),
        Some("string" | "integer" | "boolean") if origin.is_some() => {}
        _ => found.push(path.to_owned()),
    }
}

#[test]
fn every_field_of_every_tool_has_an_origin() {
    let mut found = Vec::new();
    for tool in TOOLS {
        without_origin(tool.name, &Value::Object(tool.result.schema()), None, &mut found);
    }
    assert!(found.is_empty(), "{found:?}");
    // The check recognizes a field without an origin.
    let free = json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": []});
    without_origin("free", &free, None, &mut found);
    assert_eq!(found, ["free", "free.title"]);
}
