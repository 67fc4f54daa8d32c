use super::*;
use crate::mcp::tools::TOOLS;

const ARGUMENTS: &[Argument] = &[
    Argument::required("id", Kind::Id, "an id"),
    Argument::optional("text", Kind::Text(5), "a text"),
    Argument::optional("limit", Kind::Count(10), "a number"),
    Argument::optional("order", Kind::Choice(&["up", "down"]), "an order"),
];

fn read(value: Value) -> Result<CheckedArguments, String> {
    CheckedArguments::read(ARGUMENTS, value.as_object().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn valid_arguments_are_read() {
    let given = read(json!({"id": 7, "text": "ab", "limit": "3", "order": null})).unwrap();
    assert_eq!((given.id("id").unwrap(), given.get("text"), given.get("limit")), (7, Some("ab"), Some("3")));
    assert_eq!((given.get("order"), given.cursor().unwrap()), (None, 0));
    assert_eq!(read(json!({"id": "7", "text": " "})).unwrap().get("text"), None);
}

#[test]
fn invalid_arguments_are_named_with_what_was_expected() {
    for (given, part) in [
        (json!({}), "id: missing"),
        (json!({"id": 0}), "id: expected a whole number"),
        (json!({"id": 1.5}), "got `1.5`"),
        (json!({"id": [1]}), "got `[1]`"),
        (json!({"id": true}), "id: expected"),
        (json!({"id": ""}), "id: expected"),
        (json!({"id": 1, "text": "abcdef"}), "at most 5 characters"),
        (json!({"id": 1, "text": "a\0"}), "text: expected"),
        (json!({"id": 1, "limit": 11}), "from 1 to 10"),
        (json!({"id": 1, "limit": u64::MAX}), "from 1 to 10"),
        (json!({"id": 1, "order": "sideways"}), "one of up, down"),
        (json!({"id": 1, "else": 1}), "no argument `else`; this tool takes id, text, limit, order"),
    ] {
        let error = read(given.clone()).unwrap_err();
        assert!(error.contains(part), "{given}: {error}");
    }
}

#[test]
fn each_tool_has_a_schema_with_all_its_arguments_and_bounds() {
    for tool in TOOLS {
        let schema = schema(tool.arguments);
        assert_eq!(schema["additionalProperties"], false);
        assert!(!tool.about.is_empty() && !tool.title.is_empty());
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.len(), tool.arguments.len(), "{}: a name twice", tool.name);
        for (name, property) in properties {
            let is_bounded = ["minimum", "maxLength", "enum"].iter().any(|bound| !property[*bound].is_null());
            assert!(is_bounded && property["description"].is_string(), "{}: {name}", tool.name);
        }
        assert!(tool.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    }
}
