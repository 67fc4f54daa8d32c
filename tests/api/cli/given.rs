//! Which defaults commands take from pipelines, in which order, and how they show progress.

use crate::support::build::CommandOutput;
use crate::support::server::{RunToEnd as _, address_of_nobody};
use crate::support::{Build, Project, json};
use std::path::Path;
use std::process::Command;

const UPLOAD: [&str; 2] = ["sourcemaps", "upload"];

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]).args(arguments);
    let output = command.current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1").run();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_release_is_the_commit() {
    let (project, build) = (Project::new(), Build::new());
    git(build.path(), &["init", "--quiet"]);
    git(build.path(), &["commit", "--quiet", "--allow-empty", "--message", "First"]);
    let commit = git(build.path(), &["rev-parse", "HEAD"]);
    let upload = |arguments: &[&str]| {
        let mut command = build.command(&project, arguments);
        // The pipeline's name of it counts only without git.
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("GITHUB_SHA", "0123abc");
        CommandOutput::of(&command.run())
    };
    upload(&UPLOAD).expect(0, &[&format!("Release {commit}:"), "finalized"]);
    upload(&[&UPLOAD[..], &["--release", "1.4.2"]].concat()).expect(0, &["Release 1.4.2:"]);
}

#[test]
fn a_flag_beats_the_environment_and_that_the_file() {
    let (project, build, home) = (Project::new(), Build::new(), Build::empty());
    let (right, nobody) = (project.ci().origin(), format!("http://{}", address_of_nobody()));
    let nonsense = "pk_nonsense";
    let upload = |flags: &[(&str, &str)], url: &str, key: &str, file: &str| {
        home.add(".service/config.json", json!({"apiBaseUrl": file}).to_string());
        let flags = flags.iter().flat_map(|(name, value)| [*name, *value]);
        let arguments: Vec<&str> = UPLOAD.into_iter().chain(["--release", "1.4.2"]).chain(flags).collect();
        let mut command = build.command(&project, &arguments);
        command.env("HOME", home.path()).env("MAYDAY_URL", url).env("MAYDAY_KEY", key);
        CommandOutput::of(&command.run())
    };
    upload(&[("--url", &right), ("--key", &project.key)], &nobody, nonsense, &nobody)
        .expect(0, &["finalized"]);
    upload(&[], &right, &project.key, &nobody).expect(0, &["finalized"]);
    upload(&[], "", &project.key, &right).expect(0, &["finalized"]);
    upload(&[("--key", nonsense)], &right, &project.key, &nobody).expect(1, &["Invalid API key"]);
    upload(&[("--url", "nonsense")], &right, &project.key, &right).expect(2, &["nonsense"]);
}

#[test]
fn without_a_terminal_progress_is_lines() {
    let (project, build) = (Project::new(), Build::new());
    let plain = build.run(&project, &["sourcemaps", "upload", "--release", "1.4.2"]);
    assert!(plain.err.contains("Uploading 1 source map: "), "{plain:#?}");
    let signs = ['\u{1b}', '\r', '█'];
    assert!(!plain.out.contains(signs) && !plain.err.contains(signs), "{plain:#?}");
    // On a terminal there is a progress bar instead, which disappears at the end.
    let line = "script --quiet --return --command 'mayday sourcemaps upload --release 2.0 .' /dev/null";
    let shown = build.shell(&project, &format!("stty cols 80 2>/dev/null; {line}")).expect(0, &["finalized"]);
    assert!(!shown.out.contains("Uploading 1 source map: "), "{shown:#?}");
    assert!(shown.out.contains('\u{1b}'), "{shown:#?}");
}
