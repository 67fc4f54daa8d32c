//! `GET …/audit`: who may read the log, and its filters.

use crate::support::{Server, Value, World, json};

fn get(world: &World, query: &str) -> crate::support::Response {
    world.owner.get(&format!("{}/audit{query}", world.organization_path())).send()
}

#[test]
fn only_owners_and_admins_read_the_log() {
    let world = World::new(Server::start());
    let path = format!("{}/audit", world.organization_path());
    world.admin().client.get(&path).send().expect(200);
    world.member().client.get(&path).send().refuse(403, "role");
    world.anonymous().get(&path).send().refuse(401, "Not signed in");
}

#[test]
fn entries_come_in_pages_newest_first() {
    let world = World::new(Server::start());
    (0..5).for_each(|_| drop(world.member()));
    let all = get(&world, "?limit=200").expect(200);
    let total = all["total"].as_u64().unwrap() as usize;
    let entries = all["entries"].as_array().unwrap();
    assert_eq!((entries.len(), &all["has_more"]), (total, &json!(false)));
    let ids: Vec<i64> = entries.iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|a, b| a > b), "{ids:?}");
    let mut walked: Vec<Value> = Vec::new();
    while walked.len() < total {
        let page = get(&world, &format!("?limit=7&offset={}", walked.len())).expect(200);
        let rows = page["entries"].as_array().unwrap();
        assert_eq!(page["total"], total);
        assert_eq!(page["has_more"], walked.len() + rows.len() < total);
        walked.extend(rows.iter().cloned());
    }
    assert_eq!(&walked, entries);
    let fields: Vec<&String> = entries[0].as_object().unwrap().keys().collect();
    assert_eq!(fields.len(), 8, "{fields:?}");
}

#[test]
fn entries_are_filtered_by_the_start_of_the_action_and_by_actor() {
    let world = World::new(Server::start());
    let person = world.member();
    let actions = |query: &str| -> Vec<String> {
        let found = get(&world, query).expect(200);
        let entries = found["entries"].as_array().unwrap();
        assert_eq!(found["total"], entries.len());
        entries.iter().map(|entry| entry["action"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(actions("?action=invitation."), ["invitation.accepted", "invitation.created"]);
    assert_eq!(actions("?action=member."), ["member.joined"]);
    assert_eq!(actions("?action=invitation.created"), ["invitation.created"]);
    assert!(actions("?action=x").is_empty());
    // A text and no pattern.
    for pattern in ["%25", "_", "*", "%27", "invitation%25"] {
        assert!(actions(&format!("?action={pattern}")).is_empty(), "{pattern}");
    }
    let by_person = actions(&format!("?actor={}", person.id));
    assert_eq!(by_person, ["sign_in.succeeded", "member.joined", "invitation.accepted"]);
    let both = format!("?actor={}&action=member.", person.id);
    assert_eq!(actions(&both), ["member.joined"]);
    assert!(actions("?actor=999999").is_empty());
    assert_eq!(actions("?action=&actor=").len(), actions("").len());
}

#[test]
fn invalid_filters_are_named() {
    let world = World::new(Server::start());
    let long = format!("?action={}", "x".repeat(65));
    for (query, field) in [
        ("?limit=0", "limit"),
        ("?limit=201", "limit"),
        ("?offset=-1", "offset"),
        ("?actor=x", "actor"),
        ("?actor=ada@example.com", "actor"),
        (long.as_str(), "action"),
    ] {
        get(&world, query).refuse(422, field);
    }
}

#[test]
fn no_sent_text_breaks_the_log() {
    let world = World::new(Server::start());
    let long = "x".repeat(5_000);
    for email in ["<script>alert(1)</script>", "eve\n{\"level\":\"ERROR\"}", "\u{0}", long.as_str()] {
        world.sign_in(email, "wrong").refuse(401, "");
    }
    let entries = world.audit("?action=sign_in.failed");
    assert_eq!(entries.len(), 4);
    for entry in entries {
        assert!(entry["actor"].as_str().unwrap().len() <= 320, "{entry}");
        assert!(!entry["actor"].as_str().unwrap().contains('\n'), "{entry}");
    }
}
