//! Runs agents in containers of podman or docker, and makes sure that none remains.

use super::groups::Limits;
use super::workspace::Places;
use crate::ids::SessionId;
use rustix::process::{getegid, geteuid};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for trying or removing a container: a daemon may never answer.
const LIMIT: Duration = Duration::from_secs(60);
/// The pause before an engine that refused to remove a container is asked again.
const PAUSE: Duration = Duration::from_millis(500);
/// How often the list of containers is requested.
const TRIES: usize = 3;
/// The flags of every container.
const FLAGS: &str =
    "run --rm --interactive --init --pull never --cap-drop all --security-opt no-new-privileges";
/// Variables that the image defines itself.
const OF_THE_IMAGE: [&str; 4] = ["PATH", "HOME", "USER", "TMPDIR"];
/// Variables that an engine needs, and the prefixes of variables that only engines read.
const OF_THE_ENGINE: [&str; 2] = ["PATH", "HOME"];
const OF_ENGINES: [&str; 5] = ["XDG_", "CONTAINER", "DOCKER_", "PODMAN_", "STORAGE_"];

/// The name of a run's container.
pub(super) fn name(run: &str) -> String {
    format!("mayday-{run}")
}

/// Runs a container of an image once, so that a broken one is noticed before a session needs it. Does not pull the
/// image.
///
/// # Errors
/// If it does not run.
pub(super) fn check(engine: &str, image: &str, limits: Limits) -> Result<(), String> {
    let (name, user) = (name(&format!("trial-{}", SessionId::new())), user(engine));
    let limits: Vec<String> =
        bounds(limits).into_iter().flat_map(|(option, value)| [option.to_owned(), value]).collect();
    let limits = limits.iter().map(String::as_str);
    let rest = limits.chain(["--name", &name, "--user", &user, image, "/bin/sh", "-c", ":"]);
    let tried = limited(engine, &FLAGS.split(' ').chain(rest).collect::<Vec<_>>()).output();
    let tried = tried.map_err(|error| format!("{engine} cannot be started: {error}"))?;
    if tried.status.success() {
        return Ok(());
    }
    // An engine that does not answer at all has created none.
    if names(engine).is_some() {
        remove(engine, &name);
    }
    let said = String::from_utf8_lossy(&tried.stderr);
    let why = said.lines().last().unwrap_or("the engine says nothing");
    Err(format!("no container of `{image}` runs here: {}", crate::text::shown(why, 300)))
}

/// What an image is that has a name: the name may lead to another one tomorrow.
pub(super) fn image_id(engine: &str, image: &str) -> Option<String> {
    let found = limited(engine, &["image", "inspect", "--format", "{{.Id}}", image]).output().ok()?;
    let id = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    (found.status.success() && !id.is_empty()).then_some(id)
}

/// The command that runs one in a container. `environment` is what the command finds there, and becomes the engine's.
pub(super) fn command(
    (engine, image): (&str, &str),
    command: Vec<String>,
    environment: &mut BTreeMap<String, String>,
    places: &Places<'_>,
    (name, limits): (&str, Limits),
) -> Vec<String> {
    environment.retain(|name, _| !OF_THE_IMAGE.contains(&name.as_str()));
    let mut words: Vec<String> = [engine].into_iter().chain(FLAGS.split(' ')).map(str::to_owned).collect();
    let mut set = |option: &str, value: String| words.extend([option.to_owned(), value]);
    set("--name", name.to_owned());
    set("--user", user(engine));
    bounds(limits).into_iter().for_each(|(option, value)| set(option, value));
    set("--volume", volume(places.run));
    for lent in places.lent.into_iter().chain([places.given]) {
        set("--volume", format!("{}:ro", volume(lent)));
    }
    set("--workdir", places.repo.to_string_lossy().into_owned());
    // By name, so that the values do not appear in the process list.
    for name in environment.keys() {
        set("--env", name.clone());
    }
    words.push(image.to_owned());
    words.extend(command);
    environment.extend(of_engines());
    words
}

/// The options that bound a container.
fn bounds(limits: Limits) -> Vec<(&'static str, String)> {
    let most = limits.most;
    let cpus = limits.cpus.map(|cpus| ("--cpus", format!("{}.{:03}", cpus / 1_000, cpus % 1_000)));
    let all = [("--pids-limit", most.processes.to_string()), ("--memory", most.bytes.to_string())];
    all.into_iter().chain(cpus).collect()
}

/// The runner's environment variables for an engine, the same for every command.
fn of_engines() -> impl Iterator<Item = (String, String)> {
    let own =
        std::env::vars_os().filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
    own.filter(|(name, _)| is_of_engines(name))
}

/// The user inside the container that is the runner's user outside, so that the checkout belongs to it and the runner
/// can remove what it leaves. It has no more rights than that user, whatever it is called inside.
fn user(engine: &str) -> String {
    match engine {
        // A rootless podman maps it to whoever started it.
        "podman" => "0:0".to_owned(),
        _ => format!("{}:{}", geteuid().as_raw(), getegid().as_raw()),
    }
}

fn volume(path: &Path) -> String {
    let path = path.to_string_lossy();
    format!("{path}:{path}")
}

fn is_of_engines(name: &str) -> bool {
    OF_THE_ENGINE.contains(&name) || OF_ENGINES.iter().any(|start| name.starts_with(start))
}

/// Removes a container, if it still exists. Podman refuses at first if the container was killed together with its
/// monitor process, and notices that later.
pub(super) fn remove(engine: &str, name: &str) {
    // Podman would first send SIGTERM and wait; docker does not, and lacks the option.
    let at_once: &[&str] = if engine == "podman" { &["--time", "0"] } else { &[] };
    let words = [&["rm", "--force"], at_once, &[name]].concat();
    let begun = Instant::now();
    loop {
        let is_removed = limited(engine, &words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        let is_gone = || names(engine).is_some_and(|names| names.iter().all(|other| other != name));
        if is_removed || begun.elapsed() >= LIMIT || is_gone() {
            return;
        }
        thread::sleep(PAUSE);
    }
}

/// Removes all containers of runs, and returns the runs of which some may remain.
pub(super) fn remove_all(engine: &str, runs: &[String]) -> Vec<String> {
    let runs: Vec<&String> = runs.iter().filter(|run| is_run(run)).collect();
    if runs.is_empty() {
        return Vec::new();
    }
    let is_ours = |name: &&String| runs.iter().any(|run| is_of_run(name, run));
    let found = names_surely(engine);
    for name in found.iter().flatten().filter(is_ours) {
        remove(engine, name);
    }
    // Some may have ended by themselves, so look again.
    let left = found.and_then(|_| names_surely(engine));
    let stays = |run: &str| left.as_ref().is_none_or(|left| left.iter().any(|name| is_of_run(name, run)));
    runs.iter().filter(|run| stays(run)).map(|run| (*run).clone()).collect()
}

/// Like [`names`], with retries: podman sometimes fails while a container is being removed.
fn names_surely(engine: &str) -> Option<Vec<String>> {
    (0..TRIES).find_map(|tried| {
        if tried > 0 {
            thread::sleep(PAUSE);
        }
        names(engine)
    })
}

/// The names of an engine's containers that may be ours.
fn names(engine: &str) -> Option<Vec<String>> {
    let all = ["ps", "--all", "--format", "{{.Names}}", "--filter", "name=^/?mayday-"];
    let found = limited(engine, &all).output().ok().filter(|found| found.status.success())?;
    Some(String::from_utf8_lossy(&found.stdout).lines().map(str::to_owned).collect())
}

/// Whether a container belongs to a run.
fn is_of_run(container: &str, run: &str) -> bool {
    container.strip_prefix(&name(run)).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Whether a name can be that of a run.
fn is_run(name: &str) -> bool {
    let lease = name.rsplit_once('-').map_or("", |(_, lease)| lease);
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_plain && lease.len() == 16 && lease.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn limited(engine: &str, words: &[&str]) -> Command {
    let mut command = Command::new("timeout");
    command.arg(LIMIT.as_secs().to_string()).arg(engine).args(words).env_clear().envs(of_engines());
    command
}

#[cfg(test)]
mod tests {
    use super::{Limits, bounds, check, is_of_run, is_run, remove, remove_all};
    use crate::cli::runner::descendants::Burden;
    use std::fs;
    use std::process::Command;

    #[test]
    fn only_containers_of_runs_are_removed() {
        assert!(is_run("0b0c1f5e-1111-4222-8333-444444444444-0123456789abcdef"));
        for other in ["s", "", "lost+found", ".*-0123456789abcdef", "a-0123456789abcde", "0123456789abcdef"] {
            assert!(!is_run(other), "{other}");
        }
        assert!(is_of_run("mayday-a-0123456789abcdef", "a-0123456789abcdef"));
        assert!(is_of_run("mayday-a-0123456789abcdef-2", "a-0123456789abcdef"));
        assert!(!is_of_run("mayday-a-0123456789abcdef0", "a-0123456789abcdef"));
        assert!(!is_of_run("others-a-0123456789abcdef", "a-0123456789abcdef"));
    }

    #[test]
    fn runs_with_containers_that_cannot_be_removed_are_remembered() {
        let runs = ["a-0123456789abcdef".to_owned(), "lost+found".to_owned()];
        assert_eq!(remove_all("an-engine-that-is-not-there", &runs), runs[..1]);
        assert!(remove_all("an-engine-that-is-not-there", &runs[1..]).is_empty(), "it is not asked");
        assert!(remove_all("true", &runs).is_empty(), "it has no containers");
    }

    /// A script in place of an engine, in a directory of its own.
    fn engine(script: &str) -> (tempfile::TempDir, String) {
        let dir = tempfile::tempdir().unwrap();
        let (source, engine) = (dir.path().join("script"), dir.path().join("engine"));
        fs::write(&source, format!("#!/bin/sh\ncd \"${{0%/*}}\"\n{script}")).unwrap();
        // Copied by another process: a program that is open for writing, here or in a child, cannot be started.
        assert!(Command::new("install").arg("-m700").args([&source, &engine]).status().unwrap().success());
        let engine = engine.to_str().unwrap().to_owned();
        (dir, engine)
    }

    #[test]
    fn an_engine_that_refuses_at_first_is_tried_again() {
        let script = r#"case $1 in
          ps) ! [ -e container ] || echo mayday-here ;;
          rm) echo "$3" >>asked; [ "$(wc -l <asked)" -gt 2 ] || exit 2; rm container ;;
        esac"#;
        let (dir, engine) = engine(script);
        fs::write(dir.path().join("container"), "").unwrap();
        remove(&engine, "mayday-here");
        assert!(!dir.path().join("container").exists());
        remove(&engine, "mayday-other");
        let asked = fs::read_to_string(dir.path().join("asked")).unwrap();
        assert_eq!(asked, "mayday-here\nmayday-here\nmayday-here\nmayday-other\n");
    }

    #[test]
    fn an_unresponsive_engine_is_not_asked_to_remove_anything() {
        let limits = Limits { most: Burden { processes: 16, bytes: 64 << 20 }, cpus: Some(1_500) };
        assert_eq!(bounds(limits).last(), Some(&("--cpus", "1.500".to_owned())));
        let (dir, engine) = engine("echo $1 >>asked; echo 'no daemon' >&2; exit 1");
        let why = check(&engine, "an-image", limits).unwrap_err();
        assert_eq!(why, "no container of `an-image` runs here: no daemon");
        assert_eq!(fs::read_to_string(dir.path().join("asked")).unwrap(), "run\nps\n");
    }
}
