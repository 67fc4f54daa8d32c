//! Messages of a runner that cannot work.

use super::Shop;
use super::machine::{command, dir};
use crate::support::json;
use crate::support::server::RunToEnd as _;
use crate::support::world::text;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Its exit status and its output.
fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.run();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[track_caller]
fn refused(command: &mut Command, code: i32, part: &str) {
    let (found, text) = said(command);
    assert_eq!(found, Some(code), "{text}");
    assert!(text.contains(part), "{part}: {text}");
    assert!(!text.contains('\u{1b}'), "colours for nobody: {text:?}");
}

#[test]
fn missing_requirements_are_reported() {
    let dir = dir();
    refused(&mut command(&dir, &[]), 2, "Give --url or set MAYDAY_URL");
    let at = ["--url", "http://127.0.0.1:9"];
    refused(&mut command(&dir, &at), 2, "set MAYDAY_RUNNER_TOKEN");
    let token = |token: &str| {
        let mut command = command(&dir, &at);
        command.env("MAYDAY_RUNNER_TOKEN", token);
        command
    };
    refused(&mut token("pat_0123"), 2, "expected rt_");
    let good = "rt_0123456789012345678901234567890123456789";
    refused(token(good).args(["--agent", "unheard-of"]), 2, "claude-code, codex, opencode, aider");
    refused(token(good).args(["--isolation", "user:nobody-of-this-name"]), 2, "no user");
    refused(token(good).args(["--isolation", "cage"]), 2, "none, user:NAME or container:IMAGE");
    refused(token(good).args(["--capacity", "0"]), 2, "1..=64");
    refused(token(good).env("PATH", "/nowhere"), 1, "git is not installed");
    let absent = ["--agent", "mine=no-such-program-here"];
    refused(token(good).args(absent), 1, "no agent is installed on this machine: looked for mine");
    refused(token(good).args(["--work-dir", "/proc/x"]).args(["--command", "true"]), 2, "--work-dir");
}

#[test]
fn without_sandboxes_a_session_started_by_an_error_waits_for_another_runner() {
    let shop = Shop::new();
    let issue = shop.project.digest(&shop.error())["issue_id"].clone();
    let made = json!({"name": "tool", "scopes": ["read", "write"]});
    let made = shop.project.owner.post("/api/v1/me/tokens").json(&made).send().expect(201);
    let tool = shop.project.world.bearer(&text(&made["token"]));
    let body = json!({"prompt": "Look.", "issueId": issue});
    let by_tool = tool.post("/api/sessions").json(&body).send().expect(201)["session"].clone();
    let by_person = shop.session(&json!({}));
    let place = dir();
    // All but bubblewrap.
    let programs = place.path().join("programs");
    fs::create_dir(&programs).unwrap();
    for program in ["git", "sh"] {
        symlink(Path::new("/usr/bin").join(program), programs.join(program)).unwrap();
    }
    let origin = shop.project.world.server.anonymous().origin();
    let mut machine = command(&place, &["--url", &origin, "--command", "true", "--allow-file-repositories"]);
    let mut machine =
        machine.env("PATH", &programs).env("MAYDAY_RUNNER_TOKEN", shop.token()).spawn().unwrap();
    shop.ended(&by_person);
    assert_eq!(shop.get(&text(&by_tool["id"]))["status"], "starting");
    assert_eq!(shop.get(&text(&by_tool["id"]))["is_public"], true);
    machine.kill().unwrap();
    machine.wait().unwrap();
    let said = fs::read_to_string(place.path().join("said")).unwrap();
    assert!(said.contains("go to other runners: bubblewrap is not installed"), "{said}");
}

#[test]
fn an_invalid_token_or_a_directory_of_another_runner_ends_it() {
    let shop = Shop::new();
    let origin = shop.project.world.server.anonymous().origin();
    let place = dir();
    let start = |token: &str| {
        let mut command = command(&place, &["--url", &origin, "--command", "true", "--once"]);
        command.env("MAYDAY_RUNNER_TOKEN", token);
        command
    };
    refused(&mut start("rt_0123456789012345678901234567890123456789"), 1, "the server refuses this runner");
    let token = shop.token();
    let mut first = start(&token).spawn().unwrap();
    let greeted =
        || std::fs::read_to_string(place.path().join("said")).unwrap().contains("Agents:").then_some(());
    crate::support::eventually("the first runner", greeted);
    let again = || {
        let (code, text) = said(&mut start(&token));
        text.contains("another runner works there").then_some(code)
    };
    assert_eq!(crate::support::eventually("a refusal", again), Some(1));
    // The first one keeps working.
    let session = shop.session(&json!({"repoId": null}));
    assert_eq!(shop.ended(&session)["outcome"], "completed");
    let ended = crate::support::eventually("its end", || first.try_wait().unwrap());
    assert!(ended.success());
}

#[test]
fn mirrors_of_deleted_repositories_are_removed() {
    let shop = Shop::new();
    let place = dir();
    let mirrors = place.path().join("work/mirrors");
    let mirror = |id: &str| mirrors.join(format!("{id}.git"));
    let (gone, odd) = (mirror("0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"), mirror("odd"));
    let wanted = mirror(&crate::support::world::text(&shop.repository["id"]));
    [&gone, &odd, &wanted].iter().for_each(|dir| std::fs::create_dir_all(dir).unwrap());
    let session = shop.session(&json!({"repoId": null}));
    let origin = shop.project.world.server.anonymous().origin();
    let mut command = command(&place, &["--url", &origin, "--command", "true", "--once"]);
    command.env("MAYDAY_RUNNER_TOKEN", shop.token());
    assert_eq!(said(&mut command).0, Some(0));
    assert_eq!(shop.ended(&session)["outcome"], "completed");
    assert_eq!([&gone, &odd, &wanted].map(|dir| dir.exists()), [false, true, true]);
}

#[test]
fn a_repository_that_a_runner_does_not_clone_fails_the_session_with_the_reason() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let place = dir();
    let origin = shop.project.world.server.anonymous().origin();
    let mut command = command(&place, &["--url", &origin, "--command", "true", "--once"]);
    command.env("MAYDAY_RUNNER_TOKEN", shop.token());
    assert_eq!(said(&mut command).0, Some(1));
    let told = shop.ended(&session);
    assert!(told["reason"].as_str().unwrap().contains("--allow-file-repositories"), "{told}");
}
