//! Warnings about accounts and keys.

use super::{PATH, told};
use crate::support::{Client, EMAIL, PASSWORD, Project, Value, World, json};
use std::sync::Arc;

fn behind_a_proxy() -> Project {
    Project::in_world(Arc::new(World::start_with(&[("SERVICE_TRUSTED_PROXIES", "127.0.0.1")])), "Shop")
}

fn sign_in(client: &Client, address: &str, email: &str, password: &str) -> u16 {
    let body = json!({"email": email, "password": password});
    client.post("/auth/password/login").header("x-forwarded-for", address).json(&body).send().status()
}

fn warnings(client: &Client) -> Vec<Value> {
    let list = client.get(&format!("{PATH}?category=system")).send().expect(200);
    list["notifications"].as_array().unwrap().clone()
}

#[test]
fn the_owner_of_an_account_is_warned_of_guesses_at_it() {
    let project = behind_a_proxy();
    let (anonymous, member) = (project.world.anonymous(), project.world.member());
    for _ in 0..5 {
        assert_eq!(sign_in(&anonymous, "203.0.113.1", &member.email, "wrong"), 401);
        assert_eq!(sign_in(&anonymous, "203.0.113.1", "nobody@example.com", "wrong"), 401);
    }
    assert_eq!(warnings(&member.client), Vec::<Value>::new(), "five failures are nothing yet");
    for _ in 0..3 {
        assert_eq!(sign_in(&anonymous, "203.0.113.1", &member.email, "wrong"), 429);
        assert_eq!(sign_in(&anonymous, "203.0.113.1", "nobody@example.com", "wrong"), 429);
    }
    let one = told(&member.client, 1).remove(0);
    assert_eq!(
        (&one["category"], &one["title"]),
        (&json!("system"), &json!("Somebody tried to guess your password"))
    );
    assert!(one["summary"].as_str().unwrap().contains("203.0.113.1"), "{one}");
    assert_eq!(one["notification_metadata"], json!({"kind": "throttled", "version": null, "url": null}));
    // From another address, within an hour: the owner is already notified.
    for _ in 0..6 {
        sign_in(&anonymous, "203.0.114.1", &member.email, "wrong");
    }
    assert_eq!(sign_in(&anonymous, "203.0.115.1", EMAIL, PASSWORD), 200);
    project.digest(&json!({"message": "later"}));
    assert_eq!(told(&member.client, 2)[0]["category"], "error");
}

#[test]
fn a_key_used_from_a_new_address_is_reported_to_whoever_can_revoke_it() {
    let project = behind_a_proxy();
    let world = &project.world;
    let (admin, member) = (world.admin(), world.member());
    let uses = |client: &Client, path: &str, address: &str| {
        client.get(path).header("x-forwarded-for", address).send().expect(200);
    };
    let (token, releases) = (member.tool(&["read"]), project.path("/releases"));
    let path = format!("{}/api-keys", world.organization_path());
    let key = world.owner.post(&path).json(&json!({"name": "Metrics"})).send().expect(201);
    let key = world.bearer(key["key"].as_str().unwrap());
    let (ci, browser) = (project.ci(), world.bearer(&project.key_for(&["ingest"])));
    for address in ["203.0.113.1", "203.0.113.200"] {
        uses(&token, PATH, address);
        uses(&key, &world.organization_path(), address);
        uses(&ci, &releases, address);
        browser.get(&releases).header("x-forwarded-for", address).send().refuse(403, "");
    }
    // The owner's own uses are by session.
    uses(&world.owner, PATH, "198.51.100.1");
    browser.get(&releases).header("x-forwarded-for", "198.51.100.1").send().refuse(403, "");
    assert_eq!((warnings(&member.client), warnings(&admin.client)), (vec![], vec![]));
    uses(&token, PATH, "198.51.100.1");
    let one = told(&member.client, 1).remove(0);
    let title = one["title"].as_str().unwrap();
    assert!(title.starts_with("The access token") && title.ends_with("was used from a new network"), "{one}");
    assert!(one["summary"].as_str().unwrap().contains("198.51.100.0/24"), "{one}");
    assert_eq!((&one["action_url"], &one["source_type"]), (&json!("/account/tokens"), &json!("user")));
    uses(&key, &world.organization_path(), "198.51.100.1");
    uses(&ci, &releases, "2001:db8::1");
    let list = crate::support::eventually("two warnings", || {
        Some(warnings(&admin.client)).filter(|list| list.len() == 2)
    });
    let urls: Vec<&Value> = list.iter().map(|one| &one["action_url"]).collect();
    let pages = [
        project.path("/settings/keys").replace("/api/v1", ""),
        format!("/organizations/{}/settings/keys", world.organization),
    ];
    assert!(pages.iter().all(|page| urls.iter().any(|url| **url == page.as_str())), "{urls:?}");
    // Another new address within the hour causes no notification, nor does a known one.
    uses(&ci, &releases, "198.51.100.1");
    uses(&ci, &releases, "203.0.113.5");
    uses(&token, PATH, "192.0.2.1");
    project.digest(&json!({"message": "later"}));
    assert_eq!(told(&member.client, 2)[0]["category"], "error");
    assert_eq!(warnings(&admin.client).len(), 2);
}
