//! Saved searches.

use crate::support::world::text;
use crate::support::{Client, EMAIL, Project, Value, json};

struct Views<'a>(&'a Project);

impl Views<'_> {
    fn path(&self) -> String {
        self.0.path("/views")
    }

    #[track_caller]
    fn save(&self, client: &Client, view: &Value) -> Value {
        client.post(&self.path()).json(view).send().expect(201)
    }

    fn one(&self, view: &Value) -> String {
        format!("{}/{}", self.path(), view["id"])
    }

    /// The names that somebody sees, in order.
    #[track_caller]
    fn names(&self, client: &Client) -> Vec<String> {
        let answer = client.get(&self.path()).send().expect(200);
        let views = answer["views"].as_array().unwrap();
        assert_eq!(answer["total"], views.len());
        views.iter().map(|view| text(&view["name"])).collect()
    }
}

fn mine(name: &str) -> Value {
    json!({"name": name, "query": "is:unresolved"})
}

fn shared(name: &str) -> Value {
    json!({"name": name, "query": "is:unresolved", "shared": true})
}

#[test]
fn a_view_is_saved_with_its_count_changed_and_deleted() {
    let project = Project::new();
    let (views, owner) = (Views(&project), &project.owner);
    for (message, level) in [("first", "error"), ("second", "error"), ("third", "info")] {
        project.digest(&json!({"message": message, "level": level}));
    }
    let given = json!({"name": "  Errors ", "query": " level:error -first ", "sort": "users"});
    let view = views.save(owner, &given);
    let mut fields: Vec<&str> = view.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let all = "created_at environment id issue_count name owner period query shared sort";
    assert_eq!(fields.join(" "), all);
    assert!(view["environment"].is_null() && view["period"].is_null(), "{view}");
    assert_eq!((&view["name"], &view["query"]), (&json!("Errors"), &json!("level:error -first")));
    assert_eq!(
        (&view["sort"], &view["shared"], &view["issue_count"]),
        (&json!("users"), &json!(false), &json!(1))
    );
    assert_eq!(view["owner"], json!({"id": project.world.owner_id, "email": EMAIL, "name": "Ada"}));
    assert_eq!(owner.get(&views.path()).send().expect(200), json!({"views": [view], "total": 1}));

    let changed = owner.patch(&views.one(&view)).json(&json!({"query": "level:error"})).send().expect(200);
    assert_eq!((&changed["issue_count"], &changed["sort"]), (&json!(2), &json!("users")));
    assert_eq!((&changed["name"], &changed["created_at"]), (&view["name"], &view["created_at"]));
    let renamed = json!({"name": "All", "query": "", "sort": "last_seen", "shared": true});
    let changed = owner.patch(&views.one(&view)).json(&renamed).send().expect(200);
    assert_eq!(
        (&changed["name"], &changed["shared"], &changed["issue_count"]),
        (&json!("All"), &json!(true), &json!(3))
    );

    owner.delete(&views.one(&view)).send().expect(204);
    owner.delete(&views.one(&view)).send().refuse(404, "view");
    owner.patch(&views.one(&view)).json(&json!({})).send().refuse(404, "view");
    assert!(views.names(owner).is_empty());
}

#[test]
fn a_view_keeps_an_environment_and_a_period_and_counts_within_them() {
    let project = Project::new();
    let (views, owner) = (Views(&project), &project.owner);
    let long_ago = jiff::Timestamp::now().saturating_sub(jiff::SignedDuration::from_hours(50)).unwrap();
    project.digest(&json!({"message": "first", "environment": "staging"}));
    project.digest(&json!({"message": "second", "environment": "production"}));
    project.digest(&json!({"message": "third", "environment": "staging", "timestamp": long_ago.to_string()}));
    let limited = |environment: &str, period: &str| json!({"name": "Limited", "query": "", "environment": environment, "period": period});
    for (environment, period, count) in [
        ("staging", "24h", 1),
        ("staging", "7d", 2),
        ("staging", "", 2),
        ("", "24h", 2),
        ("", "", 3),
        ("qa", "", 0),
    ] {
        let view = views.save(owner, &limited(environment, period));
        assert_eq!(view["issue_count"], count, "{environment} {period}");
        let kept = |name: &str, given: &str| view[name].as_str().unwrap_or_default() == given;
        assert!(kept("environment", environment) && kept("period", period), "{view}");
        let listed = &owner.get(&views.path()).send().expect(200)["views"][0];
        assert_eq!((&listed["issue_count"], &listed["period"]), (&view["issue_count"], &view["period"]));
    }
    let view = views.save(owner, &limited("staging", "24h"));
    let change = |body: Value| owner.patch(&views.one(&view)).json(&body).send().expect(200);
    let renamed = change(json!({"name": "Other"}));
    assert_eq!((&renamed["environment"], &renamed["period"]), (&view["environment"], &view["period"]));
    let changed = change(json!({"environment": null, "period": "7d"}));
    assert_eq!((&changed["environment"], &changed["period"]), (&Value::Null, &json!("7d")));
    assert_eq!(changed["issue_count"], 3);
}

#[test]
fn what_a_view_does_not_keep_is_counted_within_what_was_chosen() {
    let project = Project::new();
    let (views, owner) = (Views(&project), &project.owner);
    let long_ago = jiff::Timestamp::now().saturating_sub(jiff::SignedDuration::from_hours(50)).unwrap();
    project.digest(&json!({"message": "first", "environment": "staging"}));
    project.digest(&json!({"message": "second", "environment": "production"}));
    let third = json!({"message": "third", "environment": "production", "timestamp": long_ago.to_string()});
    project.digest(&third);
    views.save(owner, &json!({"name": "Plain", "query": ""}));
    views.save(owner, &json!({"name": "Production", "query": "", "environment": "production"}));
    views.save(owner, &json!({"name": "Day", "query": "", "period": "24h"}));
    views.save(owner, &json!({"name": "First", "query": "first"}));
    let counts = |chosen: &str| {
        let answer = owner.get(&format!("{}{chosen}", views.path())).send().expect(200);
        let views = answer["views"].as_array().unwrap();
        views.iter().rev().map(|view| view["issue_count"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    for (chosen, expected) in [
        ("", [3, 2, 2, 1]),
        ("?environment=&period=", [3, 2, 2, 1]),
        ("?environment=staging", [1, 2, 1, 1]),
        ("?environment=production&period=24h", [1, 1, 1, 0]),
        ("?period=30d", [3, 2, 2, 1]),
        ("?environment=qa", [0, 2, 0, 0]),
    ] {
        assert_eq!(counts(chosen), expected, "{chosen}");
    }
    owner.get(&format!("{}?period=31d", views.path())).send().refuse(422, "period: expected 1h to 720h");
}

#[test]
fn views_are_listed_without_their_counts() {
    let project = Project::new();
    let (views, owner) = (Views(&project), &project.owner);
    project.digest(&json!({"message": "first"}));
    views.save(owner, &json!({"name": "All", "query": ""}));
    let counts = |asked: &str| {
        let answer = owner.get(&format!("{}{asked}", views.path())).send().expect(200);
        assert_eq!((&answer["total"], &answer["views"][0]["name"]), (&json!(1), &json!("All")), "{asked}");
        answer["views"][0]["issue_count"].clone()
    };
    for (asked, expected) in [
        ("", json!(1)),
        ("?counts=true", json!(1)),
        ("?counts=false", Value::Null),
        ("?counts=false&environment=production&period=7d", Value::Null),
    ] {
        assert_eq!(counts(asked), expected, "{asked}");
    }
    let refused = "counts: expected true or false, got `no`";
    owner.get(&format!("{}?counts=no", views.path())).send().refuse(422, refused);
}

#[test]
fn views_are_the_persons_own_or_shared_with_the_project() {
    let project = Project::new();
    let (views, owner) = (Views(&project), &project.owner);
    let (member, key) = (project.world.member(), project.world.bearer(&project.key_for(&["read"])));
    views.save(owner, &mine("Ada's"));
    let common = views.save(owner, &shared("Common"));
    let theirs = views.save(&member.client, &mine("Theirs"));
    views.save(&member.client, &shared("Also common"));
    assert_eq!(views.names(owner), ["Common", "Ada's", "Also common"], "their own before the others'");
    assert_eq!(views.names(&member.client), ["Also common", "Theirs", "Common"]);
    assert_eq!(views.names(&key), ["Also common", "Common"], "a key has none of its own");
    assert!(
        views.names(&project.other().owner).len() == 3 && Views(&project.other()).names(owner).is_empty()
    );
    // Other people's private views do not exist, not even for an administrator.
    owner.patch(&views.one(&theirs)).json(&json!({"name": "x"})).send().refuse(404, "view");
    owner.delete(&views.one(&theirs)).send().refuse(404, "view");
    let refused = "Only its owner or an administrator";
    member.client.patch(&views.one(&common)).json(&json!({"name": "x"})).send().refuse(403, refused);
    member.client.delete(&views.one(&common)).send().refuse(403, refused);
    key.post(&views.path()).json(&mine("x")).send().refuse(403, "");
    assert_eq!(views.names(&key), ["Also common", "Common"]);
}

#[test]
fn an_administrator_changes_a_shared_view_but_only_its_owner_makes_it_private() {
    let project = Project::new();
    let views = Views(&project);
    let member = project.world.member();
    let view = views.save(&member.client, &shared("Common"));
    let change = |client: &Client, body: Value| client.patch(&views.one(&view)).json(&body).send();
    let changed = change(&project.owner, json!({"name": "Better"})).expect(200);
    assert_eq!((&changed["name"], &changed["owner"]["id"]), (&json!("Better"), &json!(member.id)));
    change(&project.owner, json!({"shared": false})).refuse(403, "Only its owner");
    change(&member.client, json!({"shared": false})).expect(200);
    assert!(views.names(&project.owner).is_empty());
    change(&member.client, json!({"shared": true})).expect(200);
    project.owner.delete(&views.one(&view)).send().expect(204);
    assert!(views.names(&member.client).is_empty());
}

#[test]
fn a_query_that_the_list_refuses_is_not_saved() {
    let project = Project::new();
    let views = Views(&project);
    let view = views.save(&project.owner, &mine("Kept"));
    for (field, wrong, words) in [
        ("query", json!("relase:1"), "query: there is no field `relase`"),
        ("query", json!("is:open"), "is: expected unresolved"),
        ("query", json!("x".repeat(1_001)), "query: expected at most 1000 characters"),
        ("sort", json!("name"), "sort: expected last_seen"),
        ("period", json!("2w"), "period: expected 24h, 7d, 30d, got `2w`"),
        ("environment", json!("x".repeat(65)), "environment: expected at most 64 characters, got 65"),
        ("name", json!(" "), "name: expected 1 to 128 characters"),
        ("name", json!("a\nb"), "name: expected 1 to 128 characters"),
    ] {
        let mut new = mine("New");
        new[field] = wrong.clone();
        project.owner.post(&views.path()).json(&new).send().refuse(422, words);
        project.owner.patch(&views.one(&view)).json(&json!({field: wrong})).send().refuse(422, words);
    }
    project.owner.post(&views.path()).json(&json!({"name": "x"})).send().refuse(422, "query");
    assert_eq!(views.names(&project.owner), ["Kept"]);
}

#[test]
fn views_are_counted_for_the_caller() {
    let project = Project::new();
    let views = Views(&project);
    project.digest(&json!({"message": "assigned"}));
    project.change(&project.issue(), &json!({"assignee": project.world.owner_id}));
    views.save(&project.owner, &json!({"name": "Mine", "query": "is:mine", "shared": true}));
    let count =
        |client: &Client| client.get(&views.path()).send().expect(200)["views"][0]["issue_count"].clone();
    assert_eq!(count(&project.owner), 1);
    assert_eq!(count(&project.world.member().client), 0);
    assert_eq!(count(&project.world.bearer(&project.key_for(&["read"]))), Value::Null, "a key is nobody");
}

#[test]
fn a_person_has_50_views_of_a_project_of_which_20_are_counted() {
    let project = Project::new();
    let views = Views(&project);
    for number in 1..=50 {
        views.save(&project.owner, &mine(&format!("View {number}")));
    }
    let one_more =
        |project: &Project, view: &Value| project.owner.post(&project.path("/views")).json(view).send();
    one_more(&project, &mine("One more")).refuse(409, "50 views");
    let all = project.owner.get(&views.path()).send().expect(200);
    let counts = all["views"].as_array().unwrap().iter().map(|view| view["issue_count"].is_null());
    assert_eq!(counts.collect::<Vec<_>>(), (0..50).map(|at| at >= 20).collect::<Vec<_>>());
    one_more(&project.other(), &mine("Elsewhere")).expect(201);
    views.save(&project.world.member().client, &mine("Of another"));
    project.owner.delete(&views.one(&all["views"][0])).send().expect(204);
    one_more(&project, &mine("One more")).expect(201);
}

#[test]
fn a_project_shares_100_views() {
    let project = Project::new();
    let views = Views(&project);
    let (first, second, third) = (project.world.member(), project.world.member(), project.world.member());
    for number in 0..100 {
        let by = if number % 2 == 0 { &first } else { &second };
        views.save(&by.client, &shared(&format!("View {number}")));
    }
    third.client.post(&views.path()).json(&shared("One more")).send().refuse(409, "100 views are shared");
    let own = views.save(&third.client, &mine("Own"));
    let share = json!({"shared": true});
    third.client.patch(&views.one(&own)).json(&share).send().refuse(409, "100 views are shared");
}
