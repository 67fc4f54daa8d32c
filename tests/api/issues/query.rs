//! The words of `query`.

use super::counts::hours_ago;
use crate::support::project::encoded;
use crate::support::world::text;
use crate::support::{Project, json};

fn project() -> Project {
    let project = Project::new();
    project.accept(&json!({"exception": {"type": "TypeError", "message": "Cannot read 'amount'", "stack":
        "TypeError: Cannot read 'amount'\n    at total (https://shop.example/cart.js:1:2)\n    at run (https://shop.example/Main.js:3:4)"},
        "user": {"id": "u"}, "release": "1", "tags": {"plan": "pro"}}));
    project.accept(
        &json!({"message": "100% of \"disk\" used at C:\\data", "level": "info", "account": {"id": "a"}}),
    );
    project.digest(&json!({"message": "Überlauf: it's äußerst voll"}));
    project
}

#[track_caller]
fn total(project: &Project, query: &str) -> i64 {
    project.issues(&format!("?query={}", encoded(query)))["total"].as_i64().unwrap()
}

#[test]
fn words_are_found_in_titles_culprits_messages_and_file_names() {
    let project = project();
    for (query, found) in [
        ("TypeError", 1),
        ("typeerror", 1),
        ("amount", 1),
        ("total", 1),
        ("cart.js", 1),
        ("main.js", 1),
        ("\"Cannot read\"", 1),
        ("\"read Cannot\"", 0),
        ("read cannot", 1),
        ("cannot disk", 0),
        ("ÜBERLAUF", 1),
        ("äußerst", 1),
        ("-amount", 2),
        ("-amount -disk", 1),
        ("amount -total", 0),
        ("100%", 1),
        ("%", 1),
        ("_", 0),
        ("it's", 1),
        ("C:\\data", 1),
        ("", 3),
        ("   ", 3),
        ("-", 0),
        ("https://shop.example/cart.js", 1),
    ] {
        assert_eq!(total(&project, query), found, "{query}");
    }
}

#[test]
fn a_short_id_finds_its_issue_and_anything_similar_is_a_word() {
    let project = project();
    project.digest(&json!({"message": "sha-256 differs"}));
    let issue = project.issues("?query=amount")["issues"][0].clone();
    let short_id = text(&issue["short_id"]);
    for query in [short_id.clone(), short_id.to_lowercase(), format!("{short_id} is:unresolved")] {
        let found = project.issues(&format!("?query={}", encoded(&query)));
        assert_eq!((&found["total"], &found["issues"][0]["id"]), (&json!(1), &issue["id"]), "{query}");
    }
    for (query, found) in [(format!("-{short_id}"), 3), (format!("{short_id}9"), 0), ("sha-256".into(), 1)] {
        assert_eq!(total(&project, &query), found, "{query}");
    }
}

#[test]
fn an_unknown_field_is_refused_with_a_list_of_the_fields() {
    let project = project();
    let ask =
        |query: &str| project.owner.get(&project.path(&format!("/issues?query={}", encoded(query)))).send();
    for (query, wrong) in
        [("relase:1", "no field `relase`"), ("x:y", "no field `x`"), ("is:", "`is:` has no value")]
    {
        let refused = ask(query).refuse(422, wrong);
        assert!(refused.contains("first_release") && refused.contains("tag.NAME"), "{refused}");
    }
    for key in ["contexts.custom.queue", "-contexts.os.nam", "Contexts.x"] {
        let refused =
            ask(&format!("{key}:slow")).refuse(422, "Only these properties of contexts can be searched: ");
        assert!(
            refused.contains("searched: contexts.app.app_name, ") && !refused.contains("tag.NAME"),
            "{refused}"
        );
    }
    for name in ["colour", "contexts.os.nam", "tag."] {
        let refused = ask(&format!("has:{name}")).refuse(422, "has: expected assignee");
        assert!(
            refused.contains("contexts.os.name") && refused.ends_with(&format!("got `{name}`")),
            "{refused}"
        );
    }
    ask("\"relase:1\"").expect(200);
    let status = project.owner.get(&project.path("/issues?status=open")).send();
    status
        .refuse(422, "status: expected unresolved, resolved or ignored, comma-separated, or all, got `open`");
}

#[test]
fn first_release_is_where_an_issue_was_seen_first() {
    let project = project();
    project.digest(&json!({"exception": {"type": "TypeError", "message": "Cannot read 'amount'", "stack":
        "TypeError: Cannot read 'amount'\n    at total (https://shop.example/cart.js:1:2)\n    at run (https://shop.example/Main.js:3:4)"},
        "release": "2"}));
    for (query, found) in
        [("first_release:1", 1), ("first_release:2", 0), ("release:2", 1), ("-first_release:1", 2)]
    {
        assert_eq!(total(&project, query), found, "{query}");
    }
}

#[test]
fn first_seen_and_last_seen_are_compared_with_a_time_or_an_age() {
    let project = project();
    let old = json!({"message": "the old one", "timestamp": hours_ago(20 * 24)});
    project.digest(&old);
    project.digest(&json!({"message": "the old one"}));
    project.digest(&json!({"message": "the older one", "timestamp": hours_ago(10 * 24)}));
    for (query, found) in [
        ("first_seen:>7d", 3),
        ("first_seen:<7d", 2),
        ("-first_seen:>7d", 2),
        ("first_seen:<2w", 1),
        ("last_seen:>24h", 4),
        ("last_seen:>30m", 4),
        ("last_seen:<1d", 1),
        ("first_seen:<7d last_seen:>1h", 1),
        ("last_seen:>2020-01-01", 5),
        ("last_seen:<2020-01-01T10:00:00+02:00", 0),
        ("FIRST_SEEN:\">2020-01-01 10:00:00\"", 5),
    ] {
        assert_eq!(total(&project, query), found, "{query}");
    }
    for wrong in [
        "first_seen:7d",
        "first_seen:>",
        "last_seen:<soon",
        "last_seen:>-1d",
        "last_seen:>7y",
        "last_seen:≥7d",
    ] {
        let path = project.path(&format!("/issues?query={}", encoded(wrong)));
        let refused =
            project.owner.get(&path).send().refuse(422, "_seen: expected > or < and a time such as");
        let ages = "24h, 7d or 2w (in the last 7 days: `>7d`, more than 7 days ago: `<7d`), got";
        assert!(refused.contains(ages), "{refused}");
    }
}

#[test]
fn is_and_has_filter_by_state() {
    let project = project();
    let issues = project.issues("?query=amount");
    let issue = &issues["issues"][0];
    for (query, found) in [
        ("is:unresolved", 3),
        ("is:new", 3),
        ("is:ongoing", 0),
        ("is:regressed", 0),
        ("-is:regressed", 3),
        ("is:assigned", 0),
        ("is:unassigned", 3),
        ("is:mine", 0),
        ("has:user", 1),
        ("-has:user", 2),
        ("has:account", 1),
        ("has:release", 1),
        ("has:Release", 1),
        ("has:assignee", 0),
        ("has:contexts.os.name", 0),
        ("has:tag.plan", 1),
        ("-has:tag.plan", 2),
        ("priority:low", 2),
        ("priority:high", 1),
        ("-priority:high", 2),
        ("type:TypeError", 1),
        ("-type:TypeError", 2),
        ("IS:unresolved", 3),
    ] {
        assert_eq!(total(&project, query), found, "{query}");
    }
    project.change(
        issue,
        &json!({"status": "resolved", "assignee": project.world.owner_id, "priority": "medium"}),
    );
    for (query, found) in [
        ("is:resolved", 1),
        ("-is:resolved", 2),
        ("is:mine", 1),
        ("is:assigned", 1),
        ("has:assignee", 1),
        ("priority:medium", 1),
        ("priority:low", 2),
        ("is:new", 2),
    ] {
        assert_eq!(total(&project, query), found, "{query}");
    }
    project.digest(&json!({"exception": {"type": "TypeError", "message": "Cannot read 'amount'", "stack":
        "TypeError: Cannot read 'amount'\n    at total (https://shop.example/cart.js:1:2)\n    at run (https://shop.example/Main.js:3:4)"}}));
    for (query, found) in [("is:regressed", 1), ("-is:regressed", 2), ("is:new", 2), ("-is:new", 1)] {
        assert_eq!(total(&project, query), found, "{query}");
    }
}

#[test]
fn anything_else_is_searched_as_words() {
    let project = project();
    for query in
        ["Error: Cannot", "9:b", "://", ":", "\"", "\"unclosed", "'; drop table issues; --", "((", "\\"]
    {
        let list = project.issues(&format!("?query={}", encoded(query)));
        assert!(list["total"].is_i64(), "{query}");
    }
    assert_eq!(total(&project, "Überlauf:"), 1);
    assert_eq!(total(&project, &vec!["amount"; 60].join(" ")), 1);
    assert_eq!(project.issues("")["total"], 3);
}
