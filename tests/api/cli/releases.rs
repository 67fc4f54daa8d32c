//! `mayday releases`.

use crate::support::build::CommandOutput;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Project, json};

fn run(project: &Project, arguments: &[&str]) -> CommandOutput {
    let mut command = command(["releases"]);
    command.args(arguments).env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
    CommandOutput::of(&command.run())
}

#[test]
fn a_release_is_created_finalized_listed_and_deleted() {
    let project = Project::new();
    run(&project, &["list"]).expect(0, &["No releases"]);
    run(&project, &["new", "web/1.0 +b", "--url-prefix", "~/static/"]).expect(0, &["created"]);
    run(&project, &["new", "web/1.0 +b", "--url-prefix", "~/static/"]).expect(0, &["there already"]);
    run(&project, &["new", "web/1.0 +b"]).expect(1, &["`~/static/`, which cannot be changed"]);
    // In columns.
    run(&project, &["list"]).expect(0, &["VERSION      MAPS", "web/1.0 +b      0         0  open"]);
    run(&project, &["finalize", "web/1.0 +b"]).expect(0, &["finalized"]);
    run(&project, &["finalize", "unknown"]).expect(1, &["Release 'unknown' not found"]);
    let list = run(&project, &["list", "--json", "--query", "1.0 +"]).expect(0, &[]).json();
    assert_eq!(list["releases"][0]["version"], "web/1.0 +b");
    assert!(!list["releases"][0]["finalized_at"].is_null());
    run(&project, &["delete", "web/1.0 +b"]).expect(0, &["deleted"]);
    run(&project, &["delete", "web/1.0 +b"]).expect(1, &["not found"]);
    assert_eq!(project.owner.get(&project.path("/releases")).send().expect(200)["total"], json!(0));
}

#[test]
fn a_release_that_only_events_name_has_to_be_created() {
    let project = Project::new();
    project.digest(&json!({"message": "one", "release": "h-3"}));
    let named = ["Release 'h-3' not found: only events name it so far", "`mayday releases new h-3`"];
    run(&project, &["finalize", "h-3"]).expect(1, &named);
    run(&project, &["new", "h-3"]).expect(0, &["created"]);
    run(&project, &["finalize", "h-3"]).expect(0, &["finalized"]);
}

#[test]
fn the_servers_options_are_not_in_the_help_of_these_commands() {
    for (words, shows) in [
        (["releases", "list", "--help"].as_slice(), false),
        (&["sourcemaps", "upload", "--help"], false),
        (&["backup", "--help"], false),
        (&["serve", "--help"], true),
        (&["healthcheck", "--help"], true),
    ] {
        let told = CommandOutput::of(&command(words).run()).expect(0, &[]);
        assert_eq!(told.out.contains("--listen"), shows, "{words:?}");
    }
    let told = CommandOutput::of(&command(["releases", "new", "--help"]).run());
    assert!(!told.out.contains("--data-dir") && told.out.contains("--url-prefix"), "{}", told.out);
}
