//! `deploy/ci/upload-source-maps.sh`: for pipelines without the binary.

use crate::support::build::{CommandOutput, script, thrown};
use crate::support::project::{SCRIPT, encoded};
use crate::support::{Build, Project, json, maps};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

fn upload(project: &Project, arguments: &[&str]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/ci/upload-source-maps.sh");
    let mut command = Command::new("sh");
    command.arg(script).args(arguments);
    command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
    command
}

pub(super) fn told(mut command: Command) -> CommandOutput {
    CommandOutput::of(&command.output().unwrap())
}

/// The tools that the script uses, except for zip.
const TOOLS: [&str; 12] =
    ["sh", "find", "grep", "sed", "sort", "tr", "od", "cp", "cat", "mktemp", "rm", "wc"];

/// A folder with the tools that the script uses, except for zip, and some more.
pub(super) fn tools(build: &Build, more: &[&str]) -> PathBuf {
    let bin = build.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for tool in TOOLS.iter().chain(&["curl"]).chain(more) {
        symlink(found(tool).unwrap_or_else(|| panic!("no {tool} here")), bin.join(tool)).unwrap();
    }
    bin
}

fn found(tool: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin"].iter().map(|dir| Path::new(dir).join(tool)).find(|path| path.exists())
}

/// The same with what Alpine's image has: one program by all of these names.
fn of_busybox(build: &Build) -> Option<PathBuf> {
    let busybox = found("busybox")?;
    let bin = build.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for tool in TOOLS {
        symlink(&busybox, bin.join(tool)).unwrap();
    }
    symlink(found("curl")?, bin.join("curl")).unwrap();
    Some(bin)
}

#[test]
fn it_uploads_working_maps_with_zip_and_without() {
    let project = Project::new();
    for (version, has_zip) in [("1.0 \"a\"/b", true), ("2.0", false)] {
        let (build, other) = (Build::new(), Build::empty());
        build.add("style.css.map", "{}");
        build.add("a b/[x],ü%.js", script());
        build.add("a b/[x],ü%.js.map", maps::cart());
        build.add("a b/ü.css", "h1 { color: rgb(1, 2, 3) }");
        build.add("z.css", "a{}");
        build.add("large.css", " ".repeat((4 << 20) + 1));
        let mut command = upload(&project, &[version, build.path().to_str().unwrap()]);
        if !has_zip {
            command.env("PATH", tools(&other, &[]));
        }
        told(command).expect(0, &["Source maps stored: 2."]);
        for url in [SCRIPT, "https://shop.example/a%20b/[x],%C3%BC%25.js"] {
            let event = project.digest(&thrown(version, url));
            assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{url}: {event}");
        }
        for url in ["https://shop.example/a%20b/%C3%BC.css", "https://shop.example/z.css"] {
            let path = format!("/stylesheets?release={}&url={}", encoded(version), encoded(url));
            let status = project.owner.get(&project.path(&path)).send().status();
            assert_eq!(status, if has_zip { 200 } else { 204 }, "{url}");
        }
        let large = format!("/stylesheets?release={}&url=https://shop.example/large.css", encoded(version));
        assert_eq!(project.owner.get(&project.path(&large)).send().status(), 204);
    }
    let list = project.owner.get(&project.path("/releases")).send().expect(200);
    assert_eq!(list["total"], json!(2));
    assert!(list["releases"].as_array().unwrap().iter().all(|release| !release["finalized_at"].is_null()));
}

#[test]
fn it_needs_no_more_than_a_small_image_has() {
    let (project, build, other) = (Project::new(), Build::new(), Build::empty());
    let Some(bin) = of_busybox(&other) else {
        eprintln!("not tried: there is no busybox here");
        return;
    };
    build.add("a b/[x],ü%.js", script());
    build.add("a b/[x],ü%.js.map", maps::cart());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/ci/upload-source-maps.sh");
    let mut command = Command::new(bin.join("sh"));
    command.arg(script).args(["1.0", build.path().to_str().unwrap()]).env_clear().env("PATH", bin);
    command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
    told(command).expect(0, &["Source maps stored: 2."]);
    for url in [SCRIPT, "https://shop.example/a%20b/[x],%C3%BC%25.js"] {
        let event = project.digest(&thrown("1.0", url));
        assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total", "{url}: {event}");
    }
}

#[test]
fn it_fails_with_the_servers_words() {
    let (project, build) = (Project::new(), Build::new());
    let dir = build.path().to_str().unwrap().to_owned();
    told(upload(&project, &[])).expect(2, &["usage"]);
    let mut without_key = upload(&project, &["1", &dir]);
    without_key.env_remove("MAYDAY_KEY");
    told(without_key).expect(2, &["MAYDAY_KEY"]);
    let mut wrong_key = upload(&project, &["1", &dir]);
    wrong_key.env("MAYDAY_KEY", "pk_nonsense");
    told(wrong_key).expect(1, &["401", "Invalid API key"]);
    build.add("assets/cart.min.js.map", "{}");
    told(upload(&project, &["1", &dir])).expect(1, &["422", "~/assets/cart.min.js"]);
    build.remove("assets/cart.min.js.map");
    told(upload(&project, &["1", &dir])).expect(1, &["no source maps"]);
}

#[test]
fn it_stops_where_a_page_loads_from_elsewhere() {
    let (project, build) = (Project::new(), Build::empty());
    build.add("dist/assets/cart.min.js", script());
    build.add("dist/assets/cart.min.js.map", maps::cart());
    build.add("dist/main.js", script());
    build.add("dist/main.js.map", maps::cart());
    let dir = build.path().join("dist").display().to_string();
    let pages = [
        ("<script src=\"/app/assets/cart.min.js\"></script>", Some("~/app/")),
        ("<SCRIPT type=module\n  src='/assets/assets/cart.min.js?v=3'>", Some("~/assets/")),
        ("<script defer src=//cdn.example/x/y/assets/cart.min.js></script>", Some("~/x/y/")),
        ("<script src=\"https://cdn.example/assets/cart.min.js\"></script>", None),
        ("<script src=\"/assets/cart.min.js\"></script>", None),
        (
            "<script src=\"assets/cart.min.js\"></script><script>let src=\"/a/assets/cart.min.js\"</script>",
            None,
        ),
        ("<script src=/app/assets/cart.min.js></script><script src=/assets/cart.min.js></script>", None),
        ("<script src=\"https://cdn.example/npm/foo/main.js\"></script>", None),
        ("<script src=\"/analytics/other.js\"></script><img src=\"/a/assets/cart.min.js\">", None),
    ];
    for (index, (page, prefix)) in pages.into_iter().enumerate() {
        build.add("dist/sub page/index.html", page);
        let release = format!("{index}.0");
        if let Some(prefix) = prefix {
            let words = format!("give the prefix '{prefix}'");
            told(upload(&project, &[&release, &dir])).expect(1, &["sub page/index.html loads", &words]);
            told(upload(&project, &[&release, &dir, "~/"])).expect(0, &["stored: 2."]);
        } else {
            told(upload(&project, &[&release, &dir])).expect(0, &["stored: 2."]);
        }
    }
}
