//! The key of a database, and who may read it.

use crate::instance::refused;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::outside::{Outside, TOKEN};
use crate::support::world::text;
use crate::support::{Client, Project, Server, World, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn project(environment: &[(&str, &str)]) -> Project {
    Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Sealed")
}

/// Stops the server and changes its key: it does not start with another one, but does with the right one, or when
/// told to.
fn changed(environment: &[(&str, &str)], change: impl FnOnce(&Path)) -> Outcome {
    let project = project(environment);
    let event = project.digest(&json!({"message": "x"}));
    let server = &project.world.server;
    assert!(server.stop().success());
    let folder = server.data_dir().to_owned();
    let file = folder.join("secrets.env");
    let right = fs::read_to_string(&file).unwrap();
    change(&file);
    let wrong = fs::read_to_string(&file).ok();
    let text = refused(&folder, environment)?;
    for what in ["CLOUD_SECRET_KEY", "main.db", "accept-new-key"] {
        ensure(text.contains(what), || format!("{what} is not named: {text}"))?;
    }
    let now = fs::read_to_string(&file).ok();
    ensure(now == wrong, || "another key was written in its place".to_owned())?;
    fs::write(&file, right).unwrap();
    let project = crate::kill::again(project, World::restart);
    assert!(project.world.server.stop().success());
    match &wrong {
        Some(wrong) => fs::write(&file, wrong).unwrap(),
        None => fs::remove_file(&file).unwrap(),
    }
    fs::write(folder.join("accept-new-key"), "").unwrap();
    let project = crate::kill::again(project, World::restart);
    ensure(!folder.join("accept-new-key").exists(), || "any key is accepted from now on".to_owned())?;
    let project = crate::kill::again(project, World::restart);
    Ok(Report::default().with("said", text).with("event", &event["id"]).with("project", project.id))
}

/// Replaces the key in `secrets.env`; sessions stay valid.
fn replace(file: &Path) {
    let other = |line: &str| match line.strip_prefix("CLOUD_SECRET_KEY=") {
        Some(key) => format!("CLOUD_SECRET_KEY={}\n", key.chars().rev().collect::<String>()),
        None => format!("{line}\n"),
    };
    let text: String = fs::read_to_string(file).unwrap().lines().map(other).collect();
    fs::write(file, text).unwrap();
}

#[test]
fn a_wrong_key_is_reported_at_the_start() {
    kept(changed(&[], replace));
}

#[test]
fn a_missing_key_is_reported_and_not_replaced() {
    kept(changed(&[], |file| fs::remove_file(file).unwrap()));
}

#[test]
fn a_server_that_accepts_any_key_is_noticed() {
    broken(changed(&sabotage("any_key"), replace), "it starts");
    broken(changed(&sabotage("any_key"), |file| fs::remove_file(file).unwrap()), "it starts");
}

/// The directory of a stopped server is readable for others: after its start it is not.
fn opened(environment: &[(&str, &str)]) -> Outcome {
    let project = project(environment);
    assert!(project.world.server.stop().success());
    let folder = project.world.server.data_dir().to_owned();
    let file = folder.join("secrets.env");
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    set(&folder, 0o755);
    set(&file, 0o644);
    let project = crate::kill::again(project, World::restart);
    for (path, right) in [(&folder, 0o700), (&file, 0o600)] {
        let mode = fs::metadata(path).unwrap().permissions().mode() & 0o777;
        ensure(mode == right, || format!("others may read {}: {mode:o}", path.display()))?;
        let said = || project.world.server.output().contains(path.to_str().unwrap()).then_some(());
        within(patience(Duration::from_secs(10)), "the word of a changed right", said)?;
    }
    Ok(Report::default())
}

#[test]
fn only_the_owner_may_read_the_data() {
    kept(opened(&[]));
}

#[test]
fn a_server_that_leaves_its_data_open_is_noticed() {
    broken(opened(&sabotage("wide_rights")), "others may read");
}

/// Credentials for other services, also those in waiting deliveries, are in no file unencrypted.
fn sealed() -> Outcome {
    let outside = Outside::start();
    let mut variables = outside.variables();
    variables.push(("SERVICE_ALERTS_ALLOW_PRIVATE_URLS", "true".to_owned()));
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let project = project(&variables);
    let owner = &project.owner;
    let connections = format!("{}/connections", project.world.organization_path());
    let body =
        json!({"kind": "linear", "display_name": "a-name-in-the-open", "token": TOKEN, "url": outside.url});
    owner.post(&connections).json(&body).send().expect(201);
    // No receiver listens there, so the message keeps waiting.
    let body = json!({"name": "Hook", "kind": "webhook", "url": "http://127.0.0.1:1/canary-of-a-path", "token": "canary-of-a-channel"});
    let channel = owner.post(&project.path("/alert-channels")).json(&body).send().expect(201);
    let rule = json!({"name": "New", "condition": {"type": "new"}, "channels": [channel["id"]]});
    owner.post(&project.path("/alert-rules")).json(&rule).send().expect(201);
    let webhook = webhook_secret(owner);
    project.digest(&json!({"message": "x"}));
    let sent = project.path("/alert-deliveries");
    within(patience(Duration::from_secs(20)), "an attempt", || {
        (owner.get(&sent).send().expect(200)["deliveries"][0]["attempts"].as_i64() >= Some(1)).then_some(())
    })?;
    let server = &project.world.server;
    assert!(server.stop().success());
    let holds = |text: &str| holding(server.data_dir(), text.as_bytes());
    ensure(!holds("a-name-in-the-open").is_empty(), || "nothing is found".to_owned())?;
    let secret = channel["secret"].as_str().unwrap();
    for canary in [TOKEN, "canary-of-a-path", "canary-of-a-channel", secret, &webhook] {
        let found = holds(canary);
        ensure(found.is_empty(), || format!("{canary} lies open in {found:?}"))?;
    }
    Ok(Report::default())
}

/// The secret of a trigger that others call.
fn webhook_secret(owner: &Client) -> String {
    let body = json!({"name": "an-automation-in-the-open"});
    let automation = owner.post("/api/automations").json(&body).send().expect(200);
    let path = format!("/api/automations/{}/triggers", text(&automation["automation"]["id"]));
    let made = owner.post(&path).json(&json!({"provider": "webhook"})).send().expect(201);
    text(&made["trigger"]["webhook_secret"])
}

/// The files below a folder that have these bytes.
fn holding(folder: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, bytes));
        } else if fs::read(&path).is_ok_and(|all| all.windows(bytes.len()).any(|part| part == bytes)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn credentials_for_other_services_are_stored_sealed() {
    kept(sealed());
}
