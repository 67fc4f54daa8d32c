//! `GET /api/v1/notifications` and its count.

use super::{PATH, invite, invited, told, unread};
use crate::support::{Project, Value, json};
use std::collections::BTreeSet;

const FIELDS: [&str; 17] = [
    "id",
    "user_id",
    "organization_id",
    "category",
    "title",
    "summary",
    "source_type",
    "source_id",
    "action_url",
    "actor_id",
    "actor_type",
    "actor_name",
    "actor_avatar",
    "notification_metadata",
    "read_at",
    "archived_at",
    "created_at",
];

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn each_member_is_notified_of_a_new_issue() {
    let project = Project::alone();
    let member = project.world.member();
    let event = project.digest(&json!({"exception": {"type": "TypeError", "message": "cart is undefined"}}));
    for client in [&project.owner, &member.client] {
        // The owner invited the member, and is notified that they joined.
        let list = told(client, if std::ptr::eq(client, &project.owner) { 2 } else { 1 });
        let new = &list[0];
        assert_eq!(keys(new), BTreeSet::from(FIELDS));
        assert_eq!(new["title"], "New issue: TypeError: cart is undefined");
        assert_eq!((&new["category"], &new["source_type"]), (&json!("error"), &json!("issue")));
        assert_eq!(new["source_id"], event["issue_id"]);
        assert_eq!(new["organization_id"], project.world.organization);
        let page = format!("/projects/{}/issues/{}", project.id, event["issue_id"]);
        assert_eq!(new["action_url"], page.as_str());
        for nothing in ["actor_id", "actor_type", "actor_name", "actor_avatar", "read_at", "archived_at"] {
            assert!(new[nothing].is_null(), "{nothing}: {new}");
        }
        let about = &new["notification_metadata"];
        let expected = ["issue_id", "project_name", "project_id", "event_count", "affected_users"];
        assert_eq!(keys(about), BTreeSet::from(expected));
        assert_eq!((&about["issue_id"], &about["project_id"]), (&event["issue_id"], &json!(project.id)));
        assert_eq!((&about["event_count"], &about["affected_users"]), (&json!(1), &json!(0)));
    }
    // More of the same is nothing new.
    project.digest(&json!({"exception": {"type": "TypeError", "message": "cart is undefined"}}));
    project.digest(&json!({"message": "another"}));
    assert_eq!(told(&member.client, 2)[0]["title"], "New issue: another");
}

#[test]
fn a_regression_is_one_more() {
    let project = Project::alone();
    project.digest(&json!({"message": "again"}));
    let issue = &told(&project.owner, 1)[0]["source_id"];
    project.change(&json!({ "id": issue }), &json!({"status": "resolved"}));
    project.digest(&json!({"message": "again"}));
    let list = told(&project.owner, 2);
    assert_eq!(list[0]["title"], "Regressed: again");
    assert_eq!(list[1]["title"], "New issue: again");
}

#[test]
fn changes_to_the_team_are_announced_with_the_persons_name() {
    let project = Project::alone();
    let world = &project.world;
    let (admin, member) = (world.admin(), world.member());
    // The owner invited both, and each of them accepted.
    let titles: Vec<_> = told(&project.owner, 2).iter().map(|one| one["title"].clone()).collect();
    assert!(
        titles.iter().all(|title| title.as_str().unwrap().contains("accepted your invitation")),
        "{titles:?}"
    );
    world.owner.patch(&world.member_path(member.id)).json(&json!({"role": "admin"})).send().expect(200);
    let own = &told(&member.client, 1)[0];
    assert!(own["title"].as_str().unwrap().starts_with("You are now an admin of"), "{own}");
    assert_eq!((&own["actor_id"], &own["actor_type"]), (&json!(world.owner_id), &json!("user")));
    assert!(own["actor_name"].is_string(), "{own}");
    let about = &own["notification_metadata"];
    assert_eq!(keys(about), BTreeSet::from(["member_name", "member_email", "action", "role"]));
    assert_eq!((&about["action"], &about["role"]), (&json!("role_changed"), &json!("admin")));
    assert_eq!(about["member_email"], member.email.as_str());
    // Invited, joined, changed.
    let seen = told(&admin.client, 3);
    assert!(seen[0]["title"].as_str().unwrap().contains("is now an admin"), "{seen:?}");
    assert_eq!(told(&project.owner, 2).len(), 2, "nobody is told of their own acts");
}

#[test]
fn pages_go_from_the_newest_to_the_oldest() {
    let (_project, admin) = invited(7);
    let page = |query: &str| admin.client.get(&format!("{PATH}{query}")).send().expect(200);
    let all = page("");
    assert_eq!((&all["total"], &all["has_more"]), (&json!(7), &json!(false)));
    let all = all["notifications"].as_array().unwrap();
    let ids: Vec<i64> = all.iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert!(ids.windows(2).all(|pair| pair[0] > pair[1]), "{ids:?}");
    let mut found = Vec::new();
    for skip in [0, 3, 6] {
        let part = page(&format!("?skip={skip}&limit=3"));
        assert_eq!((&part["total"], &part["has_more"]), (&json!(7), &json!(skip < 6)));
        found.extend(part["notifications"].as_array().unwrap().clone());
    }
    assert_eq!(&found, all);
    assert_eq!(page("?skip=7")["notifications"], json!([]));
    assert_eq!(page("?limit=100")["notifications"].as_array().unwrap().len(), 7);
}

#[test]
fn twenty_are_a_page() {
    let (project, admin) = invited(21);
    let page = admin.client.get(PATH).send().expect(200);
    assert_eq!((page["notifications"].as_array().unwrap().len(), &page["has_more"]), (20, &json!(true)));
    assert_eq!((unread(&admin.client), unread(&project.world.member().client)), (json!(21), json!(0)));
}

#[test]
fn filters_leave_out_everything_else() {
    let (project, admin) = invited(2);
    project.digest(&json!({"message": "one"}));
    let all = told(&admin.client, 3);
    let path = |one: &Value, verb: &str| format!("{PATH}/{}/{verb}", one["id"]);
    admin.client.patch(&path(&all[1], "read")).send().expect(200);
    admin.client.patch(&path(&all[2], "archive")).send().expect(200);
    let ids = |query: &str| -> Vec<Value> {
        let list = admin.client.get(&format!("{PATH}?{query}")).send().expect(200);
        let found: Vec<Value> =
            list["notifications"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
        assert_eq!(list["total"], found.len());
        found
    };
    let [new, read, archived] = [0, 1, 2].map(|place| all[place]["id"].clone());
    assert_eq!(ids(""), [new.clone(), read.clone()]);
    assert_eq!(ids("include_archived=true"), [new.clone(), read.clone(), archived.clone()]);
    assert_eq!(ids("unread_only=true"), std::slice::from_ref(&new));
    assert_eq!(ids("unread_only=true&include_archived=true"), [new.clone(), archived.clone()]);
    assert_eq!(ids("archived_only=true"), std::slice::from_ref(&archived));
    assert_eq!(ids("archived_only=true&include_archived=true"), std::slice::from_ref(&archived));
    assert_eq!(ids("archived_only=true&category=error"), Vec::<Value>::new());
    assert_eq!(ids("category=error"), [new]);
    assert_eq!(ids("category=team&include_archived=true&unread_only=false"), [read, archived]);
    assert_eq!(ids("category=integration"), Vec::<Value>::new());
    assert_eq!(unread(&admin.client), 1);
}

#[test]
fn invalid_values_are_named() {
    let project = Project::new();
    for (query, named) in [
        ("skip=-1", "skip"),
        ("skip=x", "skip"),
        ("skip=1.5", "skip"),
        ("skip=1000001", "skip"),
        ("skip=99999999999999999999", "skip"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=", "limit"),
        ("category=errors", "category"),
        ("category=Error", "category"),
        ("category=", "category"),
        ("unread_only=yes", "unread_only"),
        ("unread_only=1", "unread_only"),
        ("include_archived=", "include_archived"),
        ("include_archived=TRUE", "include_archived"),
        ("archived_only=1", "archived_only"),
        ("archived_only=true&include_archived=1", "include_archived"),
        ("limit=1&limit=2", "limit"),
    ] {
        project.owner.get(&format!("{PATH}?{query}")).send().refuse(422, named);
    }
    project.owner.get(&format!("{PATH}?unknown=1")).send().expect(200);
}

#[test]
fn each_reads_their_own() {
    let (project, admin) = invited(1);
    assert_eq!(told(&project.world.admin().client, 0), Vec::<Value>::new());
    let mine = told(&admin.client, 3);
    assert!(mine.iter().all(|one| one["user_id"] == admin.id), "{mine:?}");
    invite(&project.world, 1);
    told(&admin.client, 4);
    for tool in [admin.tool(&["read"]), project.world.anonymous().cookie(&admin.token)] {
        assert_eq!(tool.get(PATH).send().expect(200)["total"], 4);
    }
}
