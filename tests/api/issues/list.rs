//! The list of issues: pages and orders.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

const WORDS: [&str; 7] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"];

fn titles(list: &Value) -> Vec<&str> {
    list["issues"].as_array().unwrap().iter().map(|issue| issue["title"].as_str().unwrap()).collect()
}

#[test]
fn each_issue_is_on_one_page() {
    let project = Project::new();
    for word in WORDS {
        project.accept(&json!({"message": word}));
    }
    project.digest(&json!({"message": "last"}));
    for sort in ["last_seen", "first_seen", "events", "users"] {
        let mut all = Vec::new();
        for offset in (0..9).step_by(3) {
            let page = project.issues(&format!("?sort={sort}&limit=3&offset={offset}"));
            assert_eq!((&page["total"], &page["has_more"]), (&json!(8), &json!(offset < 5)), "{page}");
            all.extend(titles(&page).into_iter().map(str::to_owned));
        }
        all.sort_unstable();
        let mut expected = WORDS.to_vec();
        expected.push("last");
        expected.sort_unstable();
        assert_eq!(all, expected, "{sort}");
    }
}

#[test]
fn the_default_limit_is_25_and_the_greatest_100() {
    let project = Project::new();
    let events: Vec<Value> =
        (0..30).map(|n| project.with_key(&json!({"message": "x", "fingerprint": [n.to_string()]}))).collect();
    project.world.anonymous().post("/api/v1/errors/batch").json(&json!(events)).send().expect(202);
    project.digest(&json!({"message": "last"}));
    let page = project.issues("");
    assert_eq!((titles(&page).len(), &page["total"], &page["has_more"]), (25, &json!(31), &json!(true)));
    let page = project.issues("?limit=100");
    assert_eq!((titles(&page).len(), &page["has_more"]), (31, &json!(false)));
}

#[test]
fn each_order_puts_the_greatest_first() {
    let project = Project::new();
    let at = |minutes: i64| {
        Timestamp::now().saturating_sub(SignedDuration::from_mins(minutes)).unwrap().to_string()
    };
    // First seen, last seen, events and users differ in their order.
    for (word, first, last, events, users) in
        [("alpha", 90, 10, 2, 2), ("beta", 80, 30, 5, 1), ("gamma", 60, 20, 3, 3)]
    {
        for number in 0..events {
            let time = if number == 0 { at(first) } else { at(last) };
            project.accept(
                &json!({"message": word, "timestamp": time, "user": {"id": (number % users).to_string()}}),
            );
        }
    }
    // Events are digested in order: the probe closes the row and is deleted.
    let probe = project.digest(&json!({"message": "probe"}));
    project.owner.delete(&project.path(&format!("/issues/{}", probe["issue_id"]))).send().expect(204);
    for (sort, order) in [
        ("last_seen", ["alpha", "gamma", "beta"]),
        ("first_seen", ["gamma", "beta", "alpha"]),
        ("events", ["beta", "gamma", "alpha"]),
        ("users", ["gamma", "alpha", "beta"]),
    ] {
        assert_eq!(titles(&project.issues(&format!("?sort={sort}"))), order, "{sort}");
    }
    assert_eq!(titles(&project.issues(""))[0], "alpha");
    let unknown = project.owner.get(&project.path("/issues?sort=title")).send();
    unknown.refuse(422, "sort: expected last_seen, first_seen, events or users");
}

#[test]
fn a_key_with_the_scope_reads_issues_but_does_not_change_them() {
    let project = Project::new();
    project.digest(&json!({"message": "x"}));
    let reader = project.world.bearer(&project.key_for(&["read"]));
    let list = reader.get(&project.path("/issues")).send().expect(200);
    let issue = &list["issues"][0];
    reader.get(&project.issue_path(issue)).send().expect(200);
    reader.patch(&project.issue_path(issue)).json(&json!({"status": "resolved"})).send().refuse(403, "");
    reader.delete(&project.issue_path(issue)).send().refuse(403, "");
    project.ci().get(&project.path("/issues")).send().refuse(403, "read");
}
