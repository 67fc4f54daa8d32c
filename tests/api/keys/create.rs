//! Making and listing keys.

use crate::support::{Project, Value, json};

#[test]
fn a_key_with_more_scopes_than_sending_is_shown_once() {
    let project = Project::new();
    let made = project.make_key(&json!({"name": "CI"}));
    let key = made["key"].as_str().unwrap();
    let random = key.strip_prefix("pk_").unwrap();
    assert!(random.len() >= 32 && random.bytes().all(|b| b.is_ascii_alphanumeric()), "{key}");
    assert_eq!((&made["name"], &made["project_id"]), (&json!("CI"), &json!(project.id)));
    assert_eq!((&made["prefix"], &made["scopes"]), (&json!(key[..7]), &json!(["ingest", "releases"])));
    assert_eq!((&made["created_by"], &made["environment"]), (&json!(project.world.owner_id), &Value::Null));
    assert_eq!((&made["last_used_at"], &made["revoked_at"]), (&Value::Null, &Value::Null));

    let list = project.owner.get(&project.path("/api-keys")).send().expect(200);
    assert!(!list.to_string().contains(random), "{list}");
    assert_eq!(list["total"], 2);
    let listed = &list["api_keys"][0];
    let mut fields: Vec<&String> = listed.as_object().unwrap().keys().collect();
    fields.sort_unstable();
    let expected = [
        "created_at",
        "created_by",
        "environment",
        "id",
        "key",
        "last_used_at",
        "name",
        "prefix",
        "project_id",
        "revoked_at",
        "scopes",
    ];
    assert_eq!(fields, expected);
    assert_eq!(listed["id"], made["id"], "the newest first");
}

#[test]
fn a_key_that_may_only_send_can_be_shown_again_until_it_is_revoked() {
    let project = Project::new();
    let listed = |id: &Value| {
        let list = project.owner.get(&project.path("/api-keys")).send().expect(200);
        list["api_keys"].as_array().unwrap().iter().find(|key| key["id"] == *id).unwrap()["key"].clone()
    };
    for scopes in
        [json!(["releases"]), json!(["read"]), json!(["ingest", "read"]), json!(["ingest", "releases"])]
    {
        let made = project.make_key(&json!({"name": "secret", "scopes": scopes}));
        assert_eq!(listed(&made["id"]), Value::Null, "{scopes}");
    }
    let body = json!({"name": "browser", "scopes": ["ingest"], "environment": "prod"});
    let made = project.make_key(&body);
    let key = made["key"].as_str().unwrap();
    assert_eq!(listed(&made["id"]), key);
    assert_eq!(made["prefix"].as_str().map(str::len), Some("pk_prod_".len() + 4));
    // The data directory has it only sealed.
    let found = std::fs::read(project.world.server.data_dir().join("main.db-wal")).unwrap();
    assert!(!found.windows(key.len()).any(|window| window == key.as_bytes()));
    project.world.member().client.get(&project.path("/api-keys")).send().refuse(403, "");
    project.owner.delete(&project.path(&format!("/api-keys/{}", made["id"]))).send().expect(204);
    assert_eq!(listed(&made["id"]), Value::Null);
}

#[test]
fn keys_differ() {
    let project = Project::new();
    let keys: std::collections::HashSet<String> =
        (0..20).map(|_| project.make_key(&json!({"name": "same"}))["key"].to_string()).collect();
    assert_eq!(keys.len(), 20);
}

#[test]
fn a_keys_environment_is_part_of_it() {
    let project = Project::new();
    let made = project.make_key(&json!({"name": "staging", "environment": "staging-2"}));
    let key = made["key"].as_str().unwrap();
    assert!(key.strip_prefix("pk_staging-2_").is_some_and(|random| random.len() >= 32), "{key}");
    assert_eq!(made["environment"], "staging-2");
    let environment = |event: &Value| project.digest(event)["environment"].clone();
    assert_eq!(environment(&json!({"api_key": key, "message": "x"})), "staging-2");
    assert_eq!(environment(&json!({"api_key": key, "message": "x", "environment": ""})), "staging-2");
    assert_eq!(environment(&json!({"api_key": key, "message": "x", "environment": "qa"})), "qa");
    assert_eq!(environment(&json!({"message": "x"})), "production");
    project.world.bearer(key).get(&project.path("/releases")).send().expect(200);
}

#[test]
fn scopes_are_chosen_from_three() {
    let project = Project::new();
    let scopes = |given: Value| project.make_key(&json!({"name": "x", "scopes": given}))["scopes"].clone();
    assert_eq!(scopes(json!(["ingest"])), json!(["ingest"]));
    assert_eq!(scopes(json!(["read", "ingest", "read"])), json!(["ingest", "read"]));
    assert_eq!(scopes(json!(["read", "releases", "ingest"])), json!(["ingest", "releases", "read"]));
    assert_eq!(scopes(Value::Null), json!(["ingest", "releases"]));
}

#[test]
fn invalid_values_are_named() {
    let project = Project::new();
    for (body, part) in [
        (json!({}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": "x".repeat(129)}), "name"),
        (json!({"name": 5}), "name"),
        (json!({"name": "x", "scopes": []}), "scopes"),
        (json!({"name": "x", "scopes": ["admin"]}), "scopes[0]"),
        (json!({"name": "x", "scopes": "ingest"}), "scopes"),
        (json!({"name": "x", "scopes": [5]}), "scopes[0]"),
        (json!({"name": "x", "environment": ""}), "environment"),
        (json!({"name": "x", "environment": "Staging"}), "environment"),
        (json!({"name": "x", "environment": "a_b"}), "environment"),
        (json!({"name": "x", "environment": "x".repeat(17)}), "environment"),
        (json!({"name": "x", "environment": 5}), "environment"),
    ] {
        project.owner.post(&project.path("/api-keys")).json(&body).send().refuse(422, part);
    }
    assert_eq!(project.owner.get(&project.path("/api-keys")).send().expect(200)["total"], 1);
}
