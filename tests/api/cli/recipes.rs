//! The recipes of `deploy/ci/`, run as the pipelines of GitHub and GitLab run them: with the binary, and without it.

use super::script::{told, tools};
use crate::support::build::{script, thrown};
use crate::support::project::SCRIPT;
use crate::support::{Build, Project, maps};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn recipes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/ci")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(recipes().join(name)).unwrap()
}

/// The lines below a line that is exactly this, as far as they are indented further, without that indentation.
fn below<'a>(yaml: &'a str, key: &str) -> Vec<&'a str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = yaml.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut lines = lines.skip_while(|line| line.trim() != key);
    let outer = indent(lines.next().unwrap_or_else(|| panic!("no `{key}`")));
    lines.take_while(|line| indent(line) > outer).collect()
}

/// `name: value` of the lines that are indented the least.
fn pairs(lines: &[&str]) -> HashMap<String, String> {
    let pair = |line: &&str| {
        let (name, value) = line.trim().split_once(": ")?;
        let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        Some((name.to_owned(), inner.unwrap_or(value).to_owned()))
    };
    lines.iter().filter_map(pair).collect()
}

/// A repository with a build in `dist`, whose page is served from `/app/`.
fn repository() -> Build {
    let build = Build::empty();
    build.add(
        "dist/index.html",
        "<script src=\"/app/assets/cart.min.js\"></script><i data-release=\"c0ffee\">",
    );
    build.add("dist/assets/cart.min.js", script());
    build.add("dist/assets/cart.min.js.map", maps::cart());
    build
}

/// The `PATH`: the tools that images have, with `mayday` or without.
fn path(build: &Build, has_binary: bool) -> PathBuf {
    let bin = tools(build, &["bash", "mkdir", "zip"]);
    if has_binary {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mayday"), bin.join("mayday")).unwrap();
    }
    bin
}

/// The step of `action.yml` with the inputs of a workflow.
fn action(build: &Build, given: &[(&str, &str)], has_binary: bool) -> Command {
    let yaml = read("action.yml");
    let inputs = below(&yaml, "inputs:");
    let value = |expression: &str| match expression {
        "github.sha" => "c0ffee".to_owned(),
        "github.action_path" => recipes().display().to_string(),
        input => {
            let name = input.strip_prefix("inputs.").unwrap();
            let about = pairs(&below(&inputs.join("\n"), &format!("{name}:")));
            let given = given.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned());
            let default = || match about.get("default").map(String::as_str) {
                Some("${{ github.sha }}") => Some("c0ffee".to_owned()),
                other => other.map(str::to_owned),
            };
            assert!(about.contains_key("description"), "{name}");
            given.or_else(default).unwrap_or_else(|| panic!("`{name}` is required"))
        }
    };
    let step = below(&yaml, "- shell: bash");
    let run = pairs(&step)["run"].clone();
    let mut command = Command::new("bash");
    command
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &run])
        .current_dir(build.path())
        .env_clear();
    for (name, expression) in pairs(&below(&step.join("\n"), "env:")) {
        let inner = expression.trim_start_matches("${{ ").trim_end_matches(" }}");
        command.env(name, value(inner));
    }
    command.env("PATH", path(build, has_binary));
    command
}

/// The job of `gitlab.yml`, its lines one after the other, as GitLab joins them.
fn gitlab(project: &Project, build: &Build, has_binary: bool) -> Command {
    let yaml = read("gitlab.yml");
    let lines = |key: &str| -> Vec<String> {
        below(&yaml, key).iter().map(|line| line.trim().strip_prefix("- ").unwrap().to_owned()).collect()
    };
    let all = [lines("before_script:"), lines("script:")].concat().join("\n");
    let mut command = Command::new("sh");
    command.args(["-e", "-c", &all]).current_dir(build.path()).env_clear();
    command.envs(pairs(&below(&yaml, "variables:")));
    command.env("CI_COMMIT_SHA", "c0ffee").env("MAYDAY_SCRIPTS", recipes());
    command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
    command.env("PATH", path(build, has_binary));
    command
}

#[track_caller]
fn resolves(project: &Project, release: &str, url: &str) {
    let event = project.digest(&thrown(release, url));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{event}");
}

const SERVED: &str = "https://shop.example/app/assets/cart.min.js";

/// The inputs that every workflow has: the server and the key.
fn given(project: &Project) -> [(&'static str, String); 2] {
    [("url", project.ci().origin()), ("key", project.key.clone())]
}

#[test]
fn the_step_of_github_uploads_with_the_binary_and_checks() {
    let (project, build) = (Project::new(), repository());
    let given = given(&project);
    let given = given.each_ref().map(|(name, value)| (*name, value.as_str()));
    told(action(&build, &given, true)).expect(0, &["Release c0ffee", "1 of 1 scripts resolve"]);
    resolves(&project, "c0ffee", SERVED);
    // One that would not resolve fails the job.
    let build = repository();
    build.remove("dist/assets/cart.min.js.map");
    told(action(&build, &given, true)).expect(1, &["no map"]);
}

#[test]
fn the_github_step_ignores_the_scripts_that_it_is_told_to() {
    let (project, build) = (Project::new(), repository());
    let given = given(&project);
    let given = given.each_ref().map(|(name, value)| (*name, value.as_str()));
    build.add("dist/vendor/a b.js", script());
    build.add("dist/vendor.min.js", script());
    told(action(&build, &given, true)).expect(1, &["no map"]);
    let with = |more: &[(&str, &str)]| {
        std::fs::remove_dir_all(build.path().join("bin")).unwrap();
        told(action(&build, &[&given, more].concat(), true))
    };
    let ignored = "vendor/a b.js\nvendor*\n";
    with(&[("ignore", ignored)]).expect(0, &["Release c0ffee", "1 of 1 scripts resolve"]);
    with(&[("release", "2.0"), ("allow-missing", "true")]).expect(0, &["Release 2.0"]);
    resolves(&project, "2.0", SERVED);
    // No page gives the address of the scripts.
    build.remove("dist/index.html");
    let stripped =
        [("release", "3.0"), ("ignore", ignored), ("strip-prefix", "assets"), ("url-prefix", "~/app/")];
    with(&stripped).expect(0, &["1 of 1 scripts resolve"]);
    resolves(&project, "3.0", "https://shop.example/app/cart.min.js");
}

#[test]
fn without_the_binary_options_that_need_it_are_refused_or_reported() {
    let (project, build) = (Project::new(), repository());
    let given = given(&project);
    let given = given.each_ref().map(|(name, value)| (*name, value.as_str()));
    let with = |more: &[(&str, &str)]| {
        let _ = std::fs::remove_dir_all(build.path().join("bin"));
        told(action(&build, &[&given, more].concat(), false))
    };
    with(&[("strip-prefix", "assets")]).expect(2, &["MAYDAY_STRIP_PREFIX"]);
    with(&[("ignore", "vendor"), ("url-prefix", "~/app/")]).expect(0, &["nothing is left out", "stored: 1."]);
    with(&[("release", "2.0"), ("url-prefix", "~/app/"), ("allow-missing", "true")])
        .expect(0, &["stored: 1."]);
}

#[test]
fn the_step_of_github_uploads_without_the_binary() {
    let (project, build) = (Project::new(), repository());
    let origin = project.ci().origin();
    let given = [
        ("url", &*origin),
        ("key", &*project.key),
        ("release", "2.0 $(touch owned)"),
        ("url-prefix", "~/app/"),
        ("dir", "dist"),
    ];
    told(action(&build, &given, false)).expect(0, &["Source maps stored: 1."]);
    resolves(&project, "2.0 $(touch owned)", SERVED);
    assert!(!build.path().join("owned").exists());
}

#[test]
fn the_job_of_gitlab_uploads_with_the_binary_and_without() {
    let (project, build) = (Project::new(), repository());
    told(gitlab(&project, &build, true)).expect(0, &["1 of 1 scripts resolve"]);
    resolves(&project, "c0ffee", SERVED);
    let (project, build) = (Project::new(), repository());
    // Nothing is stored under a wrong address: the page is served from elsewhere than `~/`.
    told(gitlab(&project, &build, false)).expect(1, &["index.html", "'~/app/'"]);
    let build = repository();
    build.remove("dist/index.html");
    told(gitlab(&project, &build, false)).expect(0, &["Source maps stored: 1."]);
    resolves(&project, "c0ffee", SCRIPT);
    // A server that refuses fails the job.
    let build = repository();
    build.remove("dist/index.html");
    let mut refused = gitlab(&project, &build, false);
    refused.env("MAYDAY_KEY", "pk_nonsense");
    told(refused).expect(1, &["401"]);
}
