//! `mayday releases deploy` and `mayday releases check --worse-than`.

use crate::support::build::CommandOutput;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Build, Project, json};
use jiff::{SignedDuration, Timestamp};

fn run(project: &Project, arguments: &[&str]) -> CommandOutput {
    let mut command = command(["releases"]);
    command.args(arguments).env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
    CommandOutput::of(&command.run())
}

fn throw(project: &Project, message: &str, release: &str, minutes: i64) {
    let at = format!("{:.3}", Timestamp::now() - SignedDuration::from_mins(minutes));
    project.digest(&json!({"message": message, "release": release, "timestamp": at, "user": {"id": "u"}}));
}

#[test]
fn a_deploy_is_recorded_with_its_known_details() {
    let project = Project::new();
    run(&project, &["deploy", "1.0 +b"]).expect(1, &["Release '1.0 +b' not found"]);
    project.make_release("1.0 +b");
    run(&project, &["deploy", "1.0 +b"]).expect(0, &["deployed to production"]);
    let more = ["deploy", "--environment", "staging", "--name", "build 7", "--link", "https://ci.example/7"];
    let times = ["--started-at", "2026-11-21T10:00:00Z", "--finished-at", "2026-11-21T10:05:00Z", "1.0 +b"];
    for _ in 0..2 {
        run(&project, &[&more[..], &times].concat()).expect(0, &["deployed to staging"]);
    }
    let list = project.owner.get(&project.path("/releases/1.0%20+b/deploys")).send().expect(200);
    assert_eq!(list["total"], 2);
    let staging = &list["deploys"][1];
    for (field, value) in [
        ("environment", "staging"),
        ("name", "build 7"),
        ("url", "https://ci.example/7"),
        ("started_at", "2026-11-21T10:00:00.000Z"),
        ("finished_at", "2026-11-21T10:05:00.000Z"),
    ] {
        assert_eq!(staging[field], value);
    }
    run(&project, &["deploy", "--started-at", "now", "1.0 +b"]).expect(2, &["--started-at"]);
    run(&project, &["deploy", "--link", "ci", "1.0 +b"]).expect(1, &["url: expected an address", "(422)"]);
}

#[test]
fn a_release_that_does_worse_fails_the_pipeline_with_the_reasons() {
    let project = Project::new();
    for version in ["1.0.0", "2.0.0"] {
        project.make_release(version);
    }
    let check = |more: &[&str]| {
        run(&project, &[&["check", "--release", "2.0.0", "--worse-than", "previous"], more].concat())
    };
    run(&project, &["check", "--release", "9", "--worse-than", "previous"])
        .expect(1, &["Release '9' not found"]);
    check(&[]).expect(0, &["no release before it has events"]);
    throw(&project, "old", "1.0.0", 300);
    check(&[]).expect(0, &["no worse than 1.0.0, with 0 events so far"]);
    for _ in 0..3 {
        throw(&project, "old", "2.0.0", 0);
    }
    check(&[]).expect(0, &["no worse than 1.0.0"]);
    // So few events prove nothing, unless an option allows it.
    let told = check(&["--min-events", "3"]);
    told.expect(
        1,
        &[
            "worse  3.0 events per hour",
            "worse  3.0 events per user, and 1.0 in 1.0.0: 3.0 times as many, at most 2",
        ],
    );
    check(&["--min-events", "3", "--max-events-per-user", "3"]).expect(1, &["events per hour"]);
    throw(&project, "new", "2.0.0", 0);
    let told =
        check(&[]).expect(1, &["worse  1 new issue, at most 0: ", "release 2.0.0 does worse than 1.0.0"]);
    assert!(!told.out.contains("per hour"), "{told:?}");
    check(&["--max-new-issues", "1"]).expect(0, &[]);
    let json = check(&["--json"]).expect(1, &[]).json();
    assert_eq!(json["worse"]["compared_with"], "1.0.0");
    assert_eq!(json["worse"]["reasons"][0]["kind"], "new_issues");
    assert_eq!(json["scripts"], json!(null));
    // A deploy that fails the check of its scripts, too.
    let build = Build::new();
    let both = ["releases", "check", "--release", "2.0.0", "--worse-than", "1.0.0"];
    build
        .run(&project, &both)
        .expect(1, &["1 of 1 scripts would not resolve", "and release 2.0.0 does worse than 1.0.0"]);

    run(&project, &["check", "--release", "2.0.0"]).expect(2, &["DIR"]);
    run(&project, &["check", "--release", "2.0.0", "--max-rate", "3"]).expect(2, &["--worse-than"]);
    check(&["--max-rate", "0"]).expect(2, &["above 0"]);
}
