//! Facets by name and value, each stored once for a project.

use super::*;
use crate::digest::facets::{WARNINGS_MAX, Warned};
use crate::ids::IssueId;
use crate::issues::sql::{Filter, Sort, list};
use crate::store::Page;
use crate::usage::service::count_facets;

fn digest(bench: &Bench) {
    let mut worker = bench.worker();
    while worker.step().unwrap() {}
}

/// The facets of a project with their values and aliases.
fn names(bench: &Bench) -> Vec<String> {
    let query =
        "select k.name || '=' || v.value || coalesce((select ' ' || group_concat(a.kind || ':' || a.alias)
                     from facet_aliases a where a.value_id = v.id), '')
                 from facets k left join facet_values v on v.facet_id = k.id order by 1";
    let rows = |c: &Connection| {
        let mut statement = c.prepare(query)?;
        let rows = statement.query_map((), |row| row.get(0))?;
        Ok(rows.map(std::result::Result::unwrap).collect())
    };
    bench.main.readers.read_blocking(rows).unwrap()
}

#[test]
fn a_value_is_stored_once_and_as_long_as_an_issue_has_it() {
    let bench = bench();
    let eve = json!({"id": "u1", "email": "eve@example.com", "name": "Eve"});
    for (message, user) in [("a", &eve), ("b", &eve), ("b", &json!({"id": "u2"})), ("a", &eve)] {
        bench.add(&json!({"message": message, "user": user, "tags": {(message): "v"}}));
    }
    digest(&bench);
    let known = "user=u1 email:eve@example.com,name:Eve";
    assert_eq!(names(&bench), ["environment=production", "tag.a=v", "tag.b=v", known, "user=u2"]);
    let delete = |message: &str| {
        let id = IssueId(bench.count(&format!("select id from issues where message = '{message}'")));
        let delete = move |tx: &Transaction<'_>| {
            while crate::issues::sql::delete_some(tx, PROJECT, id)? {}
            crate::issues::sql::delete(tx, PROJECT, id)
        };
        assert!(bench.main.write_blocking(delete).unwrap());
    };
    delete("b");
    assert_eq!(names(&bench), ["environment=production", "tag.a=v", known]);
    // A deleted value is created again when it recurs.
    bench.add(&json!({"message": "a", "user": {"id": "u2"}}));
    digest(&bench);
    assert_eq!(bench.count("select user_count from issues"), 2);
    delete("a");
    for table in ["facets", "facet_values", "facet_aliases", "issue_facets", "issue_texts"] {
        assert_eq!(bench.count(&format!("select count(*) from {table}")), 0, "{table}");
    }
}

#[test]
fn some_texts_of_contexts_are_values_and_nothing_else_of_them() {
    let bench = bench();
    let contexts = json!({
        "os": {"name": "Linux", "version": 6, "build": "#1 SMP"},
        "browser": {"name": "", "version": "x".repeat(201)},
        "runtime": {"name": "node", "version": "v".repeat(200)},
        "device": {"name": "Ada's phone", "model": {"name": "Pixel"}, "family": null},
        "app": "shop",
        "state": {"route": "/cart"},
    });
    bench.add(&json!({"message": "a", "contexts": contexts}));
    bench
        .add(&json!({"message": "b", "contexts": {"os": {"name": "Windows"}}, "tags": {"os.name": "Linux"}}));
    bench.add(&json!({"message": "c", "contexts": {}}));
    digest(&bench);
    let version = format!("contexts.runtime.version={}", "v".repeat(200));
    let known = [
        "contexts.os.name=Linux",
        "contexts.os.name=Windows",
        "contexts.runtime.name=node",
        version.as_str(),
    ];
    assert_eq!(names(&bench), [&known[..], &["environment=production", "tag.os.name=Linux"]].concat());
    for (query, found) in [
        ("contexts.os.name:Linux", "a"),
        ("-contexts.os.name:Linux", "bc"),
        ("has:contexts.os.name", "ab"),
        ("contexts.os.name:Windows tag.os.name:Linux", "b"),
        ("-has:contexts.os.name", "c"),
        ("contexts.os.name:linux", ""),
    ] {
        let mut messages: Vec<char> = listed(&bench, query, Sort::LastSeen).0.chars().collect();
        messages.sort_unstable();
        assert_eq!(messages.into_iter().collect::<String>(), found, "{query}");
    }
}

#[test]
fn deleting_an_issue_or_a_project_removes_its_sums() {
    let bench = bench();
    for (message, release) in [("a", "1"), ("a", "2"), ("b", "2")] {
        bench.add(&json!({"message": message, "release": release, "user": {"id": message}}));
    }
    digest(&bench);
    let id = IssueId(bench.count("select id from issues where message = 'a'"));
    let delete = move |tx: &Transaction<'_>| {
        while crate::issues::sql::delete_some(tx, PROJECT, id)? {}
        let left = "select count(*) from issue_facets where issue_id = ?1";
        assert_eq!(tx.query_row(left, [id.0], |row| row.get::<_, i64>(0))?, 2, "its releases");
        crate::issues::sql::delete(tx, PROJECT, id)
    };
    assert!(bench.main.write_blocking(delete).unwrap());
    assert_eq!(bench.count("select sum(event_count * 10 + issue_count) from release_counts"), 11);
    let delete = |tx: &Transaction<'_>| {
        while projects::sql::delete_some(tx, PROJECT)? {}
        Ok(())
    };
    bench.main.write_blocking(delete).unwrap();
    for table in ["issues", "events", "facets", "facet_values", "issue_facets", "issue_texts"] {
        assert_eq!(bench.count(&format!("select count(*) from {table}")), 0, "{table}");
    }
}

#[test]
fn a_new_user_has_a_bounded_number_of_aliases_in_one_batch() {
    let bench = bench();
    for number in (0..40).chain(0..40) {
        let user = json!({"id": "u", "email": format!("{number:02}@example.com"), "username": "same"});
        let account = json!({"id": "u", "name": "same"});
        bench.add(&json!({"message": "x", "user": user, "account": account}));
    }
    digest(&bench);
    let of = |kind: &str| bench.count(&format!("select count(*) from facet_aliases where kind = '{kind}'"));
    assert_eq!((of("email"), of("username"), of("name")), (crate::issues::ALIASES_MAX, 1, 1));
}

#[test]
fn a_user_has_a_bounded_number_of_aliases() {
    let bench = bench();
    for number in 0..40 {
        let user = json!({"id": "u", "email": format!("{number:02}@example.com"), "username": "same"});
        bench.add(&json!({"message": "x", "user": user}));
        if number % 7 == 0 {
            digest(&bench);
        }
    }
    digest(&bench);
    let of = |kind: &str| bench.count(&format!("select count(*) from facet_aliases where kind = '{kind}'"));
    assert_eq!((of("email"), of("username")), (crate::issues::ALIASES_MAX, 1));
    assert_eq!(bench.count("select user_count from issues"), 1);
}

/// The messages that a query finds, page by page, and the total it reports.
fn listed(bench: &Bench, query: &str, sort: Sort) -> (String, i64) {
    let mut filter = Filter::of_project(PROJECT);
    filter.query(query, None).unwrap();
    let (mut messages, mut total) = (String::new(), 0);
    for offset in (0..10).step_by(2) {
        let page = Page { limit: 2, offset };
        let read = |c: &Connection| list(c, &Texts::default(), &filter, (sort, page), Timestamp::now());
        let (issues, all) = bench.main.readers.read_blocking(read).unwrap();
        messages.extend(issues.into_iter().map(|issue| issue.message));
        total = all;
    }
    (messages, total)
}

/// In tests, more than two are many: few and many issues are handled differently.
#[test]
fn few_and_many_issues_are_found_alike() {
    let bench = bench();
    let start = Timestamp::now().plus(-crate::time::HOUR);
    for (at, message) in ["a", "b", "c", "d", "e", "f"].into_iter().enumerate() {
        let tags = json!({"all": "x", "half": if at % 2 == 0 { "even" } else { "odd" }, (message): "1"});
        for event in 0..=at {
            let time = start.plus((at * 10 + event) as i64 * crate::time::MINUTE / 10).to_string();
            let url = format!("https://shop.example/{}", if at < 4 { "early" } else { "late" });
            let user = json!({"id": if at == 1 { "one" } else { "others" }});
            bench
                .add(&json!({"message": message, "timestamp": time, "tags": tags, "url": url, "user": user}));
        }
    }
    digest(&bench);
    for (query, found) in [
        ("", "fedcba"),
        ("tag.all:x", "fedcba"),
        ("tag.half:odd", "fdb"),
        ("-tag.half:odd", "eca"),
        ("tag.half:odd has:tag.b", "b"),
        ("tag.all:x -has:tag.b", "fedca"),
        ("has:tag.half early", "dcba"),
        ("early", "dcba"),
        ("late", "fe"),
        ("-late", "dcba"),
        ("late -user:one tag.half:even", "e"),
        ("user:one", "b"),
        ("early -user:one", "dca"),
        ("early late", ""),
        ("tag.half:neither", ""),
        ("tag.all:x is:resolved", ""),
        ("first_release:1", ""),
        ("-assignee:1", "fedcba"),
    ] {
        for sort in [Sort::LastSeen, Sort::FirstSeen, Sort::Events] {
            let expected = (found.to_owned(), found.len() as i64);
            assert_eq!(listed(&bench, query, sort), expected, "{query} {sort:?}");
        }
        let (messages, total) = listed(&bench, query, Sort::Users);
        assert_eq!(
            (messages.as_str(), total),
            (found, found.len() as i64),
            "{query}: by users, who are as many"
        );
    }
}

/// Stores events at once.
fn store(bench: &Bench, events: impl IntoIterator<Item = Value>) {
    let row = |event: Value| {
        let tree = event.to_string();
        let tree = decode::parse(tree.as_bytes()).unwrap();
        Row::new(&bench.main.packer, PROJECT, &decode::event(tree, None, Timestamp::now()).unwrap()).unwrap()
    };
    let rows: Vec<Row> = events.into_iter().map(row).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(bench.intake.add(rows)).unwrap();
}

/// The values of a facet that are stored, which must be as many as it says.
fn values(bench: &Bench, facet: &str) -> i64 {
    let wrong = "select count(*) from facets k
        where k.value_count <> (select count(*) from facet_values v where v.facet_id = k.id)";
    assert_eq!(bench.count(wrong), 0);
    bench.count(&format!("select value_count from facets where name = '{facet}'"))
}

/// The tags that people are told to be full.
fn full_tags(bench: &Bench) -> Vec<String> {
    bench.main.readers.read_blocking(|c| count_facets(c, PROJECT)).unwrap().full_tags
}

#[test]
fn the_values_of_one_tag_are_bounded_in_a_project() {
    let (bench, most) = (bench(), crate::issues::PROJECT_VALUES_MAX);
    let event = |message: &str, order: i64| json!({"message": message, "tags": {"order": order}});
    // Neither issue alone reaches the project's limit.
    store(&bench, (0..most + 50).map(|order| event(if order < 600 { "a" } else { "b" }, order)));
    digest(&bench);
    assert_eq!(values(&bench, "tag.order"), most);
    assert_eq!(full_tags(&bench), ["order"]);
    assert_eq!(bench.count("select sum(event_count) from issues"), most + 50);
    // A value that the project knows is counted for one more issue, and people always are.
    store(&bench, [event("c", 0), event("c", most + 1), json!({"message": "c", "user": {"id": "u"}})]);
    digest(&bench);
    assert_eq!(values(&bench, "tag.order"), most);
    assert_eq!(bench.count("select event_count * 10 + user_count from issues where message = 'c'"), 31);
    let of_known =
        "select count(*) from issue_facets f join facet_values v on v.id = f.value_id where v.value = '0'";
    assert_eq!(bench.count(of_known), 2);
    // What goes with an issue leaves room.
    let id = IssueId(bench.count("select id from issues where message = 'a'"));
    let delete = move |tx: &Transaction<'_>| {
        while crate::issues::sql::delete_some(tx, PROJECT, id)? {}
        crate::issues::sql::delete(tx, PROJECT, id)
    };
    assert!(bench.main.write_blocking(delete).unwrap());
    assert_eq!(values(&bench, "tag.order"), most - 599);
    assert!(full_tags(&bench).is_empty());
    store(&bench, [event("c", most + 1)]);
    digest(&bench);
    assert_eq!(values(&bench, "tag.order"), most - 598);
}

#[test]
fn a_full_facet_is_logged_once() {
    let mut warned = Warned::default();
    let other = ProjectId(PROJECT.0 + 1);
    let said = [(PROJECT, "release"), (PROJECT, "release"), (PROJECT, "tags"), (other, "release")]
        .map(|(project, facet)| warned.is_first(project, facet));
    assert_eq!(said, [true, false, true, true]);
    let many = (0..WARNINGS_MAX * 2).filter(|n| warned.is_first(PROJECT, &format!("tag.{n}"))).count();
    assert_eq!(many, WARNINGS_MAX - 3, "the log is not filled with them");
}

/// Events of as many issues, each with a hundred tags.
fn tagged(issues: i64, tag: impl Fn(i64, i64) -> (String, String)) -> impl Iterator<Item = Value> {
    (0..issues).map(move |issue| {
        let tag = |nth| {
            let (name, value) = tag(issue, nth);
            (name, json!(value))
        };
        let tags: serde_json::Map<_, _> = (0..100).map(tag).collect();
        json!({"message": "x", "fingerprint": [issue.to_string()], "tags": tags})
    })
}

#[test]
fn the_tags_of_a_project_are_bounded() {
    let bench = bench();
    store(&bench, tagged(101, |issue, nth| (format!("k{issue}-{nth}"), "v".to_owned())));
    digest(&bench);
    let tags = "select count(*) from facets where name glob 'tag.*'";
    assert_eq!(bench.count(tags), crate::issues::PROJECT_TAGS_MAX);
    assert_eq!(bench.count("select sum(event_count) from issues"), 101);
}

#[test]
fn the_values_of_all_tags_are_bounded_in_a_project() {
    let bench = bench();
    store(&bench, tagged(121, |issue, nth| (format!("k{nth}"), format!("v{issue}"))));
    digest(&bench);
    let sum = "select sum(value_count) from facets where name glob 'tag.*'";
    assert_eq!(bench.count(sum), crate::issues::PROJECT_TAG_VALUES_MAX);
    assert_eq!(bench.count("select sum(event_count) from issues"), 121);
    // They take no room from environments and releases.
    store(&bench, [json!({"message": "x", "environment": "new", "release": "1", "tags": {"more": "1"}})]);
    digest(&bench);
    assert_eq!((values(&bench, "environment"), values(&bench, "release")), (2, 1));
    assert_eq!(bench.count(sum), crate::issues::PROJECT_TAG_VALUES_MAX);
}
