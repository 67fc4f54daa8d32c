//! NDJSON.

use super::{entry, read, store, with};
use crate::support::{Project, Value, json};

fn lines(project: &Project, query: &str) -> Vec<Value> {
    let answer = project.owner.get(&project.path(&format!("/logs/export{query}"))).send();
    assert_eq!(answer.status(), 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let name = answer.header("content-disposition").unwrap().to_owned();
    assert!(name.starts_with("attachment; filename=\"logs-") && name.ends_with(".ndjson\""), "{name}");
    let text = answer.text();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_lines_are_the_entries_of_the_list() {
    let project = Project::new();
    let logs: Vec<_> = (0..1_100)
        .map(|number| {
            let level = ["info", "error"][number % 2];
            let fields = json!({"level": level, "attributes": {"text": "two\nlines", "n": number}});
            with(entry(number as i64, "to be exported"), &fields)
        })
        .collect();
    store(&project, &logs);
    assert_eq!(lines(&project, "").len(), 1_100);
    let list = read(&project, "?limit=1000&levels=error");
    assert_eq!(json!(lines(&project, "?levels=error")), list["logs"]);
    assert_eq!(json!(lines(&project, "?levels=error&limit=3")), json!(list["logs"].as_array().unwrap()[..3]));
    assert_eq!(lines(&project, "?search=nope").len(), 0);
    // An hour ago there was nothing.
    let end = super::iso(super::now() - 3_600_000);
    assert_eq!(lines(&project, &format!("?end_time={end}")).len(), 0);
}
