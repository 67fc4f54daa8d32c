use super::*;
use crate::mcp::answer::ANSWER_MAX;
use crate::mcp::shape::Form::{List, Text};
use crate::mcp::shape::{Field, Origin};
use serde_json::json;

static ROW: Record = Record::new(Origin::Event, &[Field::required("title", Text(2_000))]);
static PAGE: Record = Record::new(
    Origin::Server,
    &[
        Field::required("rows", List(10_000, ROWS, &ROW)),
        Field::required("others", List(10_000, ROWS, &ROW)),
        Field::optional("next_cursor", Text(20)),
    ],
);

#[test]
fn pages_have_every_part_once_as_text_and_as_object() {
    let part = |number: usize| Part {
        heading: if number < 150 { "Rows" } else { "Others" },
        list: if number < 150 { "rows" } else { "others" },
        text: format!("{number} {}", "é".repeat(number * 7)),
        source: json!({ "title": format!("{number}:{}", "\"".repeat(number % 3 * 200)) }),
    };
    let parts = || (0..250).map(part).collect::<Vec<_>>();
    let facts = json!({"rows": [], "others": []});
    let (mut text, mut rows, mut from, mut pages) = (String::new(), Vec::new(), 0, 0);
    loop {
        let told = page(&PAGE, "head", facts.clone(), parts(), from);
        assert!(told.text.chars().count() <= ANSWER_MAX && length(&told.value) <= ANSWER_MAX);
        for list in ["rows", "others"] {
            rows.extend(told.value[list].as_array().unwrap().clone());
        }
        text += &told.text;
        pages += 1;
        let Some(next) = told.value["next_cursor"].as_str() else { break };
        assert!(told.text.ends_with(&format!("Next cursor: {next}\n")));
        from = next.parse().unwrap();
    }
    assert!(pages > 5, "{pages}");
    let numbers: Vec<String> =
        rows.iter().map(|row| row["title"].as_str().unwrap().split(':').next().unwrap().to_owned()).collect();
    assert_eq!(numbers, (0..250).map(|number| number.to_string()).collect::<Vec<_>>());
    let shown: Vec<&str> =
        text.lines().filter_map(|line| line.trim().split_once(" é")).map(|(number, _)| number).collect();
    assert_eq!(shown, (1..250).map(|number| number.to_string()).collect::<Vec<_>>());
    let told = page(&PAGE, "head", facts.clone(), parts(), 250);
    assert_eq!((told.text.as_str(), &told.value["rows"]), ("head\n\nThis is all.\n", &facts["rows"]));
}

#[test]
fn a_page_without_parts_has_a_head() {
    let told = page(&PAGE, "head", json!({"rows": [], "others": []}), Vec::new(), 0);
    assert_eq!(told.text, "head\n\nThis is all.\n");
    assert_eq!(told.value, json!({"origin": "server", "rows": [], "others": []}));
}
