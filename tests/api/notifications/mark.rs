//! Reading and archiving.

use super::{PATH, invited, told, unread};
use crate::support::{Value, json};

#[test]
fn marking_as_read_twice_counts_once() {
    let (_project, admin) = invited(2);
    let one = format!("{PATH}/{}/read", told(&admin.client, 2)[0]["id"]);
    let first = admin.client.patch(&one).send().expect(200);
    assert_eq!((first.as_object().unwrap().len(), &first["success"]), (2, &json!(true)));
    assert_eq!(admin.client.patch(&one).send().expect(200), first, "a second time changes nothing");
    let list = told(&admin.client, 2);
    assert_eq!((&list[0]["read_at"], &list[1]["read_at"]), (&first["read_at"], &Value::Null));
    assert_eq!(unread(&admin.client), 1);
}

#[test]
fn archiving_twice_counts_once() {
    let (_project, admin) = invited(2);
    let all = told(&admin.client, 2);
    let one = format!("{PATH}/{}/archive", all[0]["id"]);
    let first = admin.client.patch(&one).send().expect(200);
    assert_eq!((first.as_object().unwrap().len(), &first["success"]), (2, &json!(true)));
    assert!(first["archived_at"].is_string(), "{first}");
    assert_eq!(admin.client.patch(&one).send().expect(200), first, "a second time changes nothing");
    assert_eq!(told(&admin.client, 1)[0]["id"], all[1]["id"]);
    assert_eq!(unread(&admin.client), 1);
}

#[test]
fn all_are_marked_as_read_at_once() {
    let (project, admin) = invited(3);
    let all = told(&admin.client, 3);
    admin.client.patch(&format!("{PATH}/{}/archive", all[2]["id"])).send().expect(200);
    let other = project.world.admin();
    super::invite(&project.world, 1);
    // The second admin was invited and joined, and then one more was invited.
    told(&admin.client, 5);
    told(&other.client, 1);
    let mark = || admin.client.post(&format!("{PATH}/mark-all-read")).send().expect(200);
    // The archived one is read as well.
    assert_eq!(mark(), json!({"success": true, "count": 6}));
    assert_eq!(mark(), json!({"success": true, "count": 0}));
    assert_eq!(unread(&admin.client), 0);
    let list = admin.client.get(&format!("{PATH}?include_archived=true")).send().expect(200);
    assert!(list["notifications"].as_array().unwrap().iter().all(|one| one["read_at"].is_string()), "{list}");
    assert_eq!(unread(&other.client), 1, "another person's stay as they are");
}

#[test]
fn ids_that_are_not_the_callers_are_not_found() {
    let (project, admin) = invited(1);
    let theirs = told(&admin.client, 1)[0]["id"].to_string();
    let hostile = ["0", "-1", "x", "1.0", "%00", "99999999999999999999", "1%20or%201=1", &"9".repeat(300)];
    for id in hostile.into_iter().chain([theirs.as_str()]) {
        for verb in ["read", "archive"] {
            let refused = project.owner.patch(&format!("{PATH}/{id}/{verb}")).send();
            assert_eq!(refused.refuse(404, ""), "There is no such notification");
        }
    }
    let untouched = &told(&admin.client, 1)[0];
    assert!(untouched["read_at"].is_null() && untouched["archived_at"].is_null(), "{untouched}");
}

#[test]
fn a_tool_that_only_reads_marks_nothing() {
    let (_project, admin) = invited(1);
    let id = &told(&admin.client, 1)[0]["id"];
    let tool = admin.tool(&["read"]);
    tool.patch(&format!("{PATH}/{id}/read")).send().refuse(403, "token");
    tool.post(&format!("{PATH}/mark-all-read")).send().refuse(403, "token");
    admin.tool(&["write"]).patch(&format!("{PATH}/{id}/read")).send().expect(200);
}
