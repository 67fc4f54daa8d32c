//! Comments on an issue.

use crate::support::{EMAIL, Project, Value, json};

fn thrown() -> (Project, Value, String) {
    let project = Project::new();
    project.digest(&json!({"message": "it failed"}));
    let issue = project.issue();
    let path = format!("{}/comments", project.issue_path(&issue));
    (project, issue, path)
}

#[test]
fn a_comment_is_made_listed_and_deleted() {
    let (project, issue, path) = thrown();
    let post = |text: &str| project.owner.post(&path).json(&json!({"text": text})).send().expect(201);
    let first = post("  Seen in the shop, too.\n");
    let mut fields: Vec<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["at", "by_token", "id", "text", "user"]);
    assert_eq!(first["text"], "Seen in the shop, too.");
    let owner = json!({"id": project.world.owner_id, "email": EMAIL, "name": "Ada"});
    assert_eq!(first["user"], owner);
    let second = post("Größer 🛒");
    let list = project.owner.get(&path).send().expect(200);
    assert_eq!(list, json!({"comments": [second, first], "total": 2, "has_more": false}));
    let page = project.owner.get(&format!("{path}?limit=1")).send().expect(200);
    assert_eq!((&page["comments"], &page["has_more"]), (&json!([second]), &json!(true)));

    let activity = project.owner.get(&format!("{}/activity", project.issue_path(&issue))).send().expect(200);
    let newest = &activity["activity"][0];
    assert_eq!((&newest["kind"], &newest["data"]), (&json!("comment"), &json!({"text": "Größer 🛒"})));
    assert_eq!((&newest["id"], &newest["user"]), (&second["id"], &owner));

    project.owner.delete(&format!("{path}/{}", first["id"])).send().expect(204);
    project.owner.delete(&format!("{path}/{}", first["id"])).send().refuse(404, "comment");
    assert_eq!(project.owner.get(&path).send().expect(200)["comments"], json!([second]));
}

#[test]
fn a_comment_has_1_to_10000_characters() {
    let (project, _, path) = thrown();
    let post = |body: Value| project.owner.post(&path).json(&body).send();
    for wrong in [json!({"text": " \n "}), json!({"text": "é".repeat(10_001)}), json!({"text": 5}), json!({})]
    {
        post(wrong).refuse(422, "text");
    }
    assert_eq!(project.owner.get(&path).send().expect(200)["total"], 0);
    let longest = "é".repeat(10_000);
    assert_eq!(post(json!({"text": format!(" {longest} ")})).expect(201)["text"], longest);
}

#[test]
fn a_comment_is_deleted_only_through_its_own_issue() {
    let (project, issue, path) = thrown();
    let comment = project.owner.post(&path).json(&json!({"text": "x"})).send().expect(201);
    project.change(&issue, &json!({"status": "resolved"}));
    let activity = project.owner.get(&format!("{}/activity", project.issue_path(&issue))).send().expect(200);
    let change = &activity["activity"][0]["id"];
    project.owner.delete(&format!("{path}/{change}")).send().refuse(404, "comment");
    project.digest(&json!({"message": "another thing"}));
    let other = project.issues("?query=another")["issues"][0].clone();
    let elsewhere = format!("{}/comments/{}", project.issue_path(&other), comment["id"]);
    project.owner.delete(&elsewhere).send().refuse(404, "comment");
    assert_eq!(project.owner.get(&path).send().expect(200)["total"], 1);
    project
        .owner
        .post(&project.path("/issues/0/comments"))
        .json(&json!({"text": "x"}))
        .send()
        .refuse(404, "issue");
}

#[test]
fn a_key_reads_comments_but_does_not_write() {
    let (project, _, path) = thrown();
    let comment = project.owner.post(&path).json(&json!({"text": "x"})).send().expect(201);
    let key = project.world.bearer(&project.key_for(&["read"]));
    assert_eq!(key.get(&path).send().expect(200)["total"], 1);
    key.post(&path).json(&json!({"text": "x"})).send().refuse(403, "");
    key.delete(&format!("{path}/{}", comment["id"])).send().refuse(403, "");
}
