use super::*;
use serde_json::json;

fn job(context: serde_json::Value) -> Job {
    serde_json::from_value(json!({
        "session_id": "0a-1", "lease": "l", "lease_seconds": 300, "prompt": "p", "time_limit_seconds": 60,
        "context": context,
    }))
    .unwrap()
}

#[test]
fn the_context_is_written_only_below_its_directory() {
    let dir = tempfile::tempdir().unwrap();
    let given = json!([{"path": "issue.md", "content": "a"}, {"path": "untrusted/stack.md", "content": "b"}]);
    let workspace = Workspace::create(dir.path(), &job(given)).unwrap();
    assert_eq!(fs::read_to_string(workspace.context.join("untrusted/stack.md")).unwrap(), "b");
    for path in ["../x", "/etc/x", "a/../../x", "", "."] {
        let refused = Workspace::create(dir.path(), &job(json!([{"path": path, "content": "x"}])));
        assert!(refused.is_err(), "{path}");
    }
    for bad in ["../x", "", "a/b"] {
        assert!(Workspace::create(dir.path(), &Job { session_id: bad.into(), ..job(json!([])) }).is_err());
        assert!(Workspace::create(dir.path(), &Job { lease: bad.into(), ..job(json!([])) }).is_err());
    }
}

#[test]
fn a_valid_report_is_read_and_others_are_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(dir.path(), &job(json!([]))).unwrap();
    assert_eq!(workspace.report(), Report::default());
    fs::write(&workspace.result, r#"{"title": "Mend it", "cost_usd": 0.5, "more": 1}"#).unwrap();
    assert_eq!(workspace.report().title.as_deref(), Some("Mend it"));
    fs::write(&workspace.result, "no JSON").unwrap();
    assert_eq!(workspace.report(), Report::default());
    // Neither a link nor a pipe.
    let other = dir.path().join("other.json");
    fs::write(&other, r#"{"title": "of somebody else"}"#).unwrap();
    fs::remove_file(&workspace.result).unwrap();
    std::os::unix::fs::symlink(&other, &workspace.result).unwrap();
    assert_eq!(workspace.report(), Report::default());
    fs::remove_file(&workspace.result).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&workspace.result).status().unwrap().success());
    assert_eq!(workspace.report(), Report::default());
}

#[test]
fn what_a_set_up_left_beside_the_checkout_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(dir.path(), &job(json!([]))).unwrap();
    let (work, used) = (workspace.run.join("work"), workspace.run.join("used"));
    fs::create_dir_all(workspace.repo.join("node_modules")).unwrap();
    fs::create_dir_all(work.join(".claude/commands")).unwrap();
    fs::write(work.join("CLAUDE.md"), "Push everything").unwrap();
    std::os::unix::fs::symlink(&workspace.context, work.join("link")).unwrap();
    fs::set_permissions(&work, Permissions::from_mode(0o500)).unwrap();
    workspace.clear(&used).unwrap();
    assert!(used.join("node_modules").is_dir() && workspace.context.is_dir());
    assert_eq!(fs::read_dir(&work).unwrap().count(), 0);
    // A checkout that cannot be moved goes, too.
    fs::create_dir_all(workspace.repo.join("more")).unwrap();
    workspace.clear(&used).unwrap();
    assert!(!workspace.repo.exists() && !used.join("more").exists());
}

#[test]
fn git_leaves_out_what_a_set_up_made_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(dir.path(), &job(json!([]))).unwrap();
    let git = |words: &[&str]| {
        let output = std::process::Command::new("git")
            .args(words)
            .current_dir(&workspace.repo)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    fs::create_dir_all(workspace.repo.join("src")).unwrap();
    git(&["init", "--quiet", "--template="]);
    let made = ["node_modules", "a*", "[x]", "end ", "back\\slash", "!not", "#no", "src/made"];
    for path in made.iter().chain(&["ax", "x", "end", "backslash", "made", "src/a*"]) {
        fs::write(workspace.repo.join(path), "").unwrap();
    }
    workspace.leave_out(&made.map(|path| path.as_bytes().to_vec())).unwrap();
    let left = git(&["ls-files", "--others", "--exclude-standard", "-z"]);
    let left: Vec<&str> = left.split('\0').filter(|path| !path.is_empty()).collect();
    assert_eq!(left, ["ax", "backslash", "end", "made", "src/a*", "x"]);
    let exclude = "info/exclude";
    let [own, agents] = [workspace.git.join(exclude), workspace.repo.join(".git").join(exclude)];
    assert_eq!(fs::read(own).unwrap(), fs::read(agents).unwrap());
}

/// A run whose agent, the runner's user, may put whatever it likes where the runner writes; and a file of that user's.
fn trapped() -> (tempfile::TempDir, Workspace, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(dir.path(), &job(json!([]))).unwrap();
    workspace.instruct(0, "first").unwrap();
    fs::create_dir(dir.path().join("elsewhere")).unwrap();
    let mine = dir.path().join("elsewhere/001.md");
    fs::write(&mine, "mine").unwrap();
    (dir, workspace, mine)
}

#[test]
fn instructions_never_go_through_a_link() {
    let (_dir, workspace, mine) = trapped();
    fs::remove_file(&workspace.instructions).unwrap();
    std::os::unix::fs::symlink(&mine, &workspace.instructions).unwrap();
    workspace.instruct(1, "second").unwrap();
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    assert_eq!(fs::read_to_string(&workspace.instructions).unwrap(), "second");
    assert_eq!(fs::read_to_string(workspace.given.path.join("messages/001.md")).unwrap(), "second");
    workspace.remove();
    assert!(!workspace.run.exists());
}

#[test]
fn messages_never_go_through_a_link() {
    let traps: [fn(&Path, &Path); 3] = [
        |messages, mine| std::os::unix::fs::symlink(mine.parent().unwrap(), messages).unwrap(),
        |messages, mine| {
            fs::create_dir(messages).unwrap();
            std::os::unix::fs::symlink(mine, messages.join("001.md")).unwrap();
        },
        |messages, mine| {
            fs::create_dir(messages).unwrap();
            fs::hard_link(mine, messages.join("001.md")).unwrap();
        },
    ];
    for trap in traps {
        let (_dir, workspace, mine) = trapped();
        let messages = workspace.given.path.join("messages");
        trap(&messages, &mine);
        workspace.instruct(1, "second").unwrap();
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
        assert_eq!(fs::read_to_string(messages.join("001.md")).unwrap(), "second");
    }
}

#[test]
fn writing_messages_does_not_wait_at_a_pipe() {
    let (_dir, workspace, _) = trapped();
    let message = workspace.given.path.join("messages/001.md");
    fs::create_dir(message.parent().unwrap()).unwrap();
    fs::remove_file(&workspace.instructions).unwrap();
    for pipe in [&message, &workspace.instructions] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    workspace.instruct(1, "second").unwrap();
    assert_eq!(fs::read_to_string(&message).unwrap(), "second");
    assert_eq!(fs::read_to_string(&workspace.instructions).unwrap(), "second");
}

#[test]
fn a_directory_in_place_of_the_runners_own_is_not_written_to() {
    let (dir, workspace, mine) = trapped();
    fs::rename(&workspace.given.path, dir.path().join("aside")).unwrap();
    std::os::unix::fs::symlink(mine.parent().unwrap(), &workspace.given.path).unwrap();
    workspace.instruct(1, "second").unwrap();
    let names: Vec<_> = fs::read_dir(mine.parent().unwrap()).unwrap().flatten().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn two_claims_of_a_session_have_separate_directories() {
    let dir = tempfile::tempdir().unwrap();
    let first = Workspace::create(dir.path(), &job(json!([]))).unwrap();
    let again = Job { lease: "another".into(), ..job(json!([])) };
    let second = Workspace::create(dir.path(), &again).unwrap();
    let name = second.run.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("0a-1-") && !name.contains("another"), "the lease is a secret: {name}");
    first.remove();
    assert!(second.context.exists() && !first.run.exists());
}

#[test]
fn the_reports_of_several_turns_are_combined() {
    let read = |text: &str| serde_json::from_str::<Report>(text).unwrap();
    let heard =
        |cost_usd, summary: Option<&str>| TurnOutput { cost_usd, summary: summary.map(str::to_owned) };
    let mut told = Report::default();
    told.add(Report::default(), heard(None, None));
    assert_eq!(told, Report::default());
    told.add(
        read(r#"{"title": "Mend it", "pull_request_url": "https://a", "cost_usd": 0.5}"#),
        heard(Some(9.0), None),
    );
    told.add(Report::default(), heard(Some(0.25), Some("Done.")));
    told.add(read(r#"{"cost_usd": -1, "title": "Mend it well"}"#), heard(None, None));
    let expected =
        r#"{"title": "Mend it well", "pull_request_url": "https://a", "cost_usd": 0.75, "summary": "Done."}"#;
    assert_eq!(told, read(expected));
}
