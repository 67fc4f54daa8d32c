use super::{Groups, Limits, Runner, cpus, kills, left, namespace};
use crate::cli::runner::descendants::Burden;
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMITS: Limits = Limits { most: Burden { processes: 2_000, bytes: 300 << 20 }, cpus: Some(1_500) };

/// A folder in place of `/sys/fs/cgroup`, with these files.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let file = dir.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    dir
}

fn read(top: &Path, file: &str) -> String {
    fs::read_to_string(top.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn version_2_has_the_runner_and_sessions_beside_one_another() {
    let dir = tree(&[("system.slice/runner.service/cgroup.controllers", "cpu memory pids\n")]);
    let top = dir.path();
    let groups = Groups::below(top, "0::/system.slice/runner.service\n", LIMITS).unwrap();
    assert_eq!(groups.version(), 2);
    let service = top.join("system.slice/runner.service");
    assert_eq!(read(&service, "cgroup.subtree_control"), "+memory +pids +cpu");
    assert_eq!(read(&service, "runner/cgroup.procs"), "0");
    let group = groups.make().unwrap();
    let (folder, home) = group.places().next().unwrap();
    assert_eq!(home, service.join("runner"));
    assert_eq!(folder.parent(), Some(&*service));
    for (file, value) in [
        ("memory.max", "314572800"),
        ("memory.swap.max", "0"),
        ("pids.max", "8000"),
        ("cpu.weight", "20"),
        ("cpu.max", "150000 100000"),
    ] {
        assert_eq!(read(folder, file), value, "{file}");
    }
    fs::write(group.kills().unwrap(), "low 0\noom 2\noom_kill 1\noom_group_kill 0\n").unwrap();
    assert_eq!(kills(group.kills().unwrap()), 1);
    fs::write(group.kills().unwrap(), "low 0\noom 0\noom_kill 1\noom_group_kill 0\n").unwrap();
    assert_eq!(kills(group.kills().unwrap()), 0, "the machine's memory was used up");
    let other = groups.make().unwrap();
    assert_ne!(other.places().next(), group.places().next());
}

#[test]
fn version_2_is_as_before_where_it_cannot_be_divided() {
    let dir = tree(&[
        ("a.scope/cgroup.controllers", "cpu pids\n"),
        ("b.scope/cgroup.controllers", "memory pids\n"),
    ]);
    let why = Groups::below(dir.path(), "0::/a.scope\n", LIMITS).unwrap_err();
    assert!(why.ends_with("a.scope is not given the controller `memory`"), "{why}");
    assert!(!dir.path().join("a.scope/runner").exists());
    // A folder in place of the file: it cannot be written.
    fs::create_dir(dir.path().join("b.scope/cgroup.subtree_control")).unwrap();
    let why = Groups::below(dir.path(), "0::/b.scope\n", LIMITS).unwrap_err();
    assert!(why.contains("cgroup.subtree_control"), "{why}");
    assert_eq!(read(dir.path(), "b.scope/cgroup.procs"), "0", "the runner is back where it was");
}

#[test]
fn version_1_has_a_group_for_each_controller() {
    let dir = tree(&[("memory/box/tasks", ""), ("pids/tasks", ""), ("cpu/tasks", "")]);
    let top = dir.path();
    let own = "5:pids:/\n4:memory:/box\n2:cpu,cpuacct:/\n0::/\n";
    let groups = Groups::below(top, own, LIMITS).unwrap();
    assert_eq!(groups.version(), 1);
    let group = groups.make().unwrap();
    let places: Vec<(&Path, &Path)> = group.places().collect();
    assert_eq!(places[0].1, top.join("memory/box"));
    assert_eq!(read(places[0].0, "memory.limit_in_bytes"), "314572800");
    assert_eq!(read(places[1].0, "pids.max"), "8000");
    assert_eq!(read(places[2].0, "cpu.cfs_quota_us"), "150000");
    // In a container the path is the host's.
    let why = Groups::below(top, "4:memory:/elsewhere\n5:pids:/\n2:cpu:/\n", LIMITS).unwrap_err();
    assert_eq!(why, "there are none");
}

#[test]
fn groups_of_ended_runners_are_removed() {
    let this = Runner::this();
    let group = |runner: Runner| format!("pids/{}/x", runner.group(0));
    let elsewhere = |pid: u32| Runner { pid, namespace: this.namespace + 1 };
    let gone = [group(Runner { pid: u32::MAX, ..this }), group(this)];
    // That of a runner that is alive, and those of runners of which we cannot know that.
    let kept = [Runner { pid: 1, ..this }, elsewhere(u32::MAX), elsewhere(this.pid)].map(group);
    let dir = tree(&[("memory/x", ""), ("cpu/x", ""), ("pids/x", "")]);
    for folder in gone.iter().chain(&kept) {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    Groups::below(dir.path(), "1:memory:/\n2:cpu:/\n3:pids:/\n", LIMITS).unwrap();
    for group in &gone {
        assert!(!dir.path().join(group).parent().unwrap().exists(), "{group}");
    }
    for group in &kept {
        assert!(dir.path().join(group).exists(), "{group}");
    }
}

#[test]
fn names_say_who_made_a_group() {
    let runner = Runner { pid: 12, namespace: 4_026_531_836 };
    assert_eq!(runner.group(7), "mayday-12-4026531836-7");
    assert_eq!(Runner::of(&runner.group(7)), Some(runner));
    for other in ["mayday-", "mayday-x-1-1", "mayday-12", "mayday-12-1", "mayday-1-2-3-4", "user.slice"] {
        assert_eq!(Runner::of(other), None, "{other}");
    }
    assert_eq!(namespace("pid:[4026531836]"), Some(4_026_531_836));
    assert_ne!(Runner::this().namespace, 0);
}

#[test]
fn a_group_that_cannot_be_removed_is_named() {
    // In place of a group, a folder whose file keeps it from being removed.
    let dir = tree(&[("full/cgroup.procs", ""), ("empty/below/x", "")]);
    let (full, empty) = (dir.path().join("full"), dir.path().join("empty"));
    let said = left(&full, Duration::ZERO).unwrap();
    for words in [full.to_str().unwrap(), "the next start", "unless that is in another container"] {
        assert!(said.contains(words), "{said}");
    }
    fs::remove_file(empty.join("below/x")).unwrap();
    assert_eq!(left(&empty, Duration::ZERO), None);
    assert!(!empty.exists());
    assert_eq!(left(&empty, Duration::ZERO), None, "it is gone already");
}

#[test]
fn numbers_of_processors_are_read_exactly() {
    for (text, thousandths) in [("1", 1_000), ("1.5", 1_500), ("0.125", 125), ("1024", 1_024_000)] {
        assert_eq!(cpus(text), Ok(thousandths), "{text}");
    }
    for text in
        ["", ".", "0", "0.0999", "0.09", "-1", "+1", "1e3", "1,5", "1.2345", "1025", "4294967", "99999999999"]
    {
        assert!(cpus(text).is_err(), "{text}");
    }
}
