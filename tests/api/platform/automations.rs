//! Automations as the specification has them.

use super::fixture::{automation, repository};
use crate::support::{Project, Value, json, world};

const ALL: [&str; 20] = [
    "id",
    "organization_id",
    "name",
    "description",
    "enabled",
    "agent_instructions",
    "default_prebuild_id",
    "allow_agentic_repo_selection",
    "caps",
    "created_by",
    "created_at",
    "updated_at",
    "agent_type",
    "model_id",
    "default_prebuild",
    "creator",
    // Ours.
    "gates",
    "runner_labels",
    "time_limit_minutes",
    "may_open_pull_requests",
];

#[track_caller]
fn assert_fields(value: &Value, others: &[&str]) {
    let mut expected: Vec<&str> = ALL.iter().chain(others).copied().collect();
    let mut got: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    expected.sort_unstable();
    got.sort_unstable();
    assert_eq!(got, expected);
}

#[test]
fn an_automation_is_created_with_the_defaults() {
    let world = world();
    let made = world.owner.post("/api/automations").json(&json!({})).send().expect(200);
    let automation = &made["automation"];
    assert_fields(automation, &["_count", "activeProviders"]);
    let expected = json!({"name": "Untitled Automation", "description": "", "enabled": true, "agent_instructions": "",
        "default_prebuild_id": null, "default_prebuild": null, "allow_agentic_repo_selection": false,
        "agent_type": "claude-code", "model_id": null, "organization_id": world.organization.to_string(),
        "created_by": world.owner_id.to_string(), "_count": {"triggers": 0, "schedules": 0}, "activeProviders": [],
        "runner_labels": [], "time_limit_minutes": 60});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&automation[name], value, "{name}");
    }
    assert_eq!(
        automation["creator"],
        json!({"id": world.owner_id.to_string(), "name": "Ada", "image": null})
    );
    let created = automation["created_at"].as_str().unwrap();
    assert!(created.len() == 24 && created.ends_with('Z'), "{created}");
    // Without any body as well.
    let made = world.owner.post("/api/automations").send().expect(200);
    assert_eq!(made["automation"]["name"], "Untitled Automation");
}

#[test]
fn every_field_is_accepted_in_both_spellings() {
    let world = world();
    let prebuild = repository(&world.owner)["prebuild_id"].clone();
    let camel = json!({"name": "Fix", "description": "what it does", "agentInstructions": "Fix the bug.",
        "defaultPrebuildId": prebuild, "allowAgenticRepoSelection": true});
    let snake = json!({"name": "Fix", "description": "what it does", "agent_instructions": "Fix the bug.",
        "default_prebuild_id": prebuild, "allow_agentic_repo_selection": true});
    for body in [camel, snake] {
        let made = automation(&world.owner, &body);
        assert_eq!(made["agent_instructions"], "Fix the bug.");
        assert_eq!(made["allow_agentic_repo_selection"], true);
        assert_eq!(made["default_prebuild_id"], prebuild);
        assert_eq!(made["default_prebuild"]["id"], prebuild);
        assert!(made["default_prebuild"]["name"].as_str().unwrap().starts_with("acme/"), "{made}");
        assert_eq!(made["default_prebuild"]["snapshot_id"], Value::Null);
    }
}

#[test]
fn one_is_shown_with_its_triggers_and_the_list_with_its_counts() {
    let world = world();
    let made = automation(&world.owner, &json!({"name": "Shown"}));
    let path = format!("/api/automations/{}", made["id"].as_str().unwrap());
    let one = world.owner.get(&path).send().expect(200);
    assert_fields(&one["automation"], &["triggers"]);
    assert_eq!(one["automation"]["triggers"], json!([]));
    let list = world.owner.get("/api/automations").send().expect(200);
    let listed = list["automations"].as_array().unwrap().iter().find(|one| one["id"] == made["id"]).unwrap();
    assert_fields(listed, &["_count", "activeProviders"]);
    assert_eq!(listed, &made);
}

#[test]
fn a_change_affects_only_the_fields_it_has() {
    let world = world();
    let made = automation(&world.owner, &json!({"name": "Before", "agentInstructions": "Do it."}));
    let path = format!("/api/automations/{}", made["id"].as_str().unwrap());
    let change = json!({"name": "After", "description": "d", "enabled": false, "agentType": "codex", "modelId": "gpt-5",
        "gates": {"maxRunsPerHour": 3, "monthlyBudgetUsd": 2.5}, "runnerLabels": ["gpu", "linux", "gpu"],
        "timeLimitMinutes": 5});
    let changed = world.owner.patch(&path).json(&change).send().expect(200);
    let automation = &changed["automation"];
    assert_fields(automation, &[]);
    assert_eq!(
        (&automation["name"], &automation["enabled"], &automation["agent_type"], &automation["model_id"]),
        (&json!("After"), &json!(false), &json!("codex"), &json!("gpt-5"))
    );
    assert_eq!(automation["agent_instructions"], "Do it.");
    assert_eq!(automation["gates"]["max_runs_per_hour"], 3);
    assert_eq!(automation["gates"]["monthly_budget_usd"], 2.5);
    assert_eq!(automation["gates"]["one_per_issue"], true);
    assert_eq!(automation["runner_labels"], json!(["gpu", "linux"]));
    assert!(automation["updated_at"].as_str() >= automation["created_at"].as_str());
    let again = world.owner.patch(&path).json(&json!({"enabled": true, "modelId": null})).send().expect(200);
    assert_eq!(
        (&again["automation"]["enabled"], &again["automation"]["model_id"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(again["automation"]["gates"], automation["gates"]);
}

#[test]
fn invalid_values_are_named() {
    let world = world();
    let made = automation(&world.owner, &json!({"name": "Stays"}));
    let path = format!("/api/automations/{}", made["id"].as_str().unwrap());
    for (body, field) in [
        (json!({"name": ""}), "name"),
        (json!({"name": "x".repeat(129)}), "name"),
        (json!({"name": 5}), "name"),
        (json!({"description": "x".repeat(2_001)}), "description"),
        (json!({"enabled": "yes"}), "enabled"),
        (json!({"agentInstructions": "x".repeat(65_537)}), "agentInstructions"),
        (json!({"agentInstructions": "a\u{0}b"}), "agentInstructions"),
        (json!({"defaultPrebuildId": "nonsense"}), "defaultPrebuildId"),
        (json!({"defaultPrebuildId": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"}), "defaultPrebuildId"),
        (json!({"agentType": "--help"}), "agentType"),
        (json!({"agentType": "two words"}), "agentType"),
        (json!({"modelId": ""}), "modelId"),
        (json!({"gates": {"maxRunsPerHour": 0}}), "gates.max_runs_per_hour"),
        (json!({"gates": {"monthlyBudgetUsd": -1}}), "gates.monthly_budget_usd"),
        (json!({"gates": {"minEvents": 1.5}}), "gates.minEvents"),
        (json!({"gates": {"nonsense": 1}}), "nonsense"),
        (json!({"runnerLabels": vec!["x"; 21]}), "runnerLabels"),
        (json!({"timeLimitMinutes": 0}), "timeLimitMinutes"),
        (json!({"timeLimitMinutes": 1441}), "timeLimitMinutes"),
        (json!([]), "object"),
    ] {
        for refused in [world.owner.patch(&path), world.owner.post("/api/automations")] {
            let answer = refused.json(&body).send();
            let text = answer.refuse(422, field);
            assert_eq!(answer.value(), json!({"error": text, "code": "VALIDATION"}), "{body}");
        }
    }
    let too_large = json!({"agentInstructions": "x".repeat(1 << 20)});
    let answer = world.owner.post("/api/automations").json(&too_large).send();
    answer.refuse(413, "too large");
    world.owner.post("/api/automations").body("application/json", "{").send().refuse(400, "JSON");
    world.owner.post("/api/automations").body("text/plain", "{}").send().refuse(415, "Content-Type");
    let after = world.owner.get(&path).send().expect(200);
    assert_eq!(after["automation"]["updated_at"], made["updated_at"]);
}

#[test]
fn a_deleted_automation_is_gone() {
    let world = world();
    let made = automation(&world.owner, &json!({"name": "Gone"}));
    let path = format!("/api/automations/{}", made["id"].as_str().unwrap());
    assert_eq!(world.owner.delete(&path).send().expect(200), json!({"success": true}));
    for answer in [
        world.owner.get(&path).send(),
        world.owner.patch(&path).json(&json!({"name": "x"})).send(),
        world.owner.delete(&path).send(),
        world.owner.get(&format!("{path}/events")).send(),
    ] {
        let expected = json!({"error": "This organization has no such automation", "code": "NOT_FOUND"});
        assert_eq!(answer.expect(404), expected);
    }
    let audit = world.audit("?action=automation.deleted");
    assert!(audit.iter().any(|entry| entry["target"] == "Gone"), "{audit:?}");
}

#[test]
fn there_are_at_most_a_hundred() {
    let world = Project::alone().world.clone();
    for _ in 0..100 {
        automation(&world.owner, &json!({}));
    }
    let answer = world.owner.post("/api/automations").json(&json!({})).send();
    answer.refuse(409, "at most 100");
    assert_eq!(answer.value()["code"], "CONFLICT");
}
