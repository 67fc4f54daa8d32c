//! From an error to a branch that fixes it.

use super::{CART, MEND, Shop, git, is_alive};
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Value, eventually, json};
use std::collections::BTreeMap;
use std::process::Command;

#[test]
fn an_error_becomes_a_branch_that_fixes_it() {
    let shop = Shop::new();
    let owner = &shop.project.owner;
    let body =
        json!({"name": "Mend", "agentInstructions": "Mend what is broken.", "mayOpenPullRequests": true});
    let automation = owner.post("/api/automations").json(&body).send().expect(200)["automation"].clone();
    let path = format!("/api/automations/{}", text(&automation["id"]));
    let body = json!({"provider": "errors", "config": {"events": ["issue.created"]}});
    owner.post(&format!("{path}/triggers")).json(&body).send().expect(201);
    let machine = shop.machine(MEND, &["--label", "linux"]);
    let issue = shop.project.digest(&shop.error())["issue_id"].clone();
    let runs = shop.project.path(&format!("/issues/{issue}/runs"));
    let run = eventually("the run's end", || {
        let runs = owner.get(&runs).send().expect(200);
        runs["runs"].as_array()?.iter().find(|run| run["ended_at"].is_string()).cloned()
    });
    let session = text(&run["id"]);
    let told = shop.get(&session);
    assert_eq!((&told["status"], &told["outcome"]), (&json!("stopped"), &json!("completed")), "{told}");
    assert_eq!(told["summary"], "An item had no price.");
    let files = json!([{"path": "src/cart.mjs", "added": 1, "removed": 1}]);
    assert_eq!((&told["files_changed"], &told["exit_code"]), (&files, &json!(0)));
    // The branch on the host: one, based on the right commit, and its test passes.
    let branch = &told["branch_name"];
    assert_eq!(shop.branches(), [text(branch)]);
    assert!(text(branch).starts_with("mayday/shop-1-"), "{branch}");
    assert_eq!(told["snapshot_id"], git(&shop.host(), &["rev-parse", "HEAD"]));
    assert_eq!(told["head_commit"], git(&shop.host(), &["rev-parse", &text(branch)]));
    let subject = git(&shop.host(), &["log", "-1", "--format=%an: %s", &text(branch)]);
    assert_eq!(subject, "Mayday agent: Mend the cart");
    for (name, passes) in [("main", false), (text(branch).as_str(), true)] {
        let copy = shop.file(if passes { "after" } else { "before" });
        git(shop.dir.path(), &["clone", "--quiet", "--branch", name, "host.git", copy.to_str().unwrap()]);
        let checked = Command::new("node").arg("check.mjs").current_dir(&copy).output().unwrap();
        assert_eq!(checked.status.success(), passes, "{checked:?}");
    }
    // The parts that people see: the transcript, the issue's activity, the automation's event, the mirror.
    assert_eq!(shop.output(&session), "Looking at line 3 of src/cart.mjs\n");
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("Checking out acme/shop.") && notes.contains("1 file changed"), "{notes}");
    let activity = owner.get(&shop.project.path(&format!("/issues/{issue}/activity"))).send().expect(200);
    let kinds: Vec<String> =
        activity["activity"].as_array().unwrap().iter().rev().map(|one| text(&one["kind"])).collect();
    assert_eq!(kinds, ["first_seen", "run_started", "run_ended"]);
    let events = owner.get(&format!("{path}/events")).send().expect(200);
    assert_eq!(events["events"][0]["status"], "completed");
    let prebuilds = owner.get("/api/prebuilds").send().expect(200);
    assert_eq!(prebuilds["prebuilds"][0]["status"], "ready", "{prebuilds}");
    eventually("the run's directory to go", || {
        (machine.runs().read_dir().unwrap().count() == 0).then_some(())
    });
}

#[test]
fn two_runners_never_get_the_same_session() {
    let shop = Shop::new();
    // Appended in one write, so that no line breaks another.
    let script = "echo \"$MAYDAY_SESSION_ID $PPID\" >> \"$SHOP/taken\"\n";
    let sessions: Vec<String> = (0..12).map(|_| shop.session(&json!({}))).collect();
    let machines = [0, 1].map(|_| shop.machine(script, &["--capacity", "3"]));
    for session in &sessions {
        let told = shop.ended(session);
        assert_eq!((&told["outcome"], &told["attempts"]), (&json!("completed"), &json!(1)), "{told}");
    }
    let mut taken = BTreeMap::new();
    for line in shop.read("taken").lines() {
        *taken.entry(line.split(' ').next().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert_eq!(taken, sessions.into_iter().map(|session| (session, 1)).collect());
    assert!(shop.branches().is_empty(), "nothing was changed");
    drop(machines);
}

#[test]
fn a_failing_agent_leaves_its_work_and_the_reason() {
    let shop = Shop::new();
    let script = "echo more >> README.md\nprintf '\\0\\1' > blob\necho 'no idea' >&2\nexit 3\n";
    let session = shop.session(&json!({}));
    let mut machine = shop.machine(script, &["--once"]);
    assert_eq!(machine.wait().code(), Some(1));
    let told = shop.ended(&session);
    assert_eq!((&told["status"], &told["outcome"]), (&json!("failed"), &json!("failed")), "{told}");
    assert_eq!(
        (&told["reason"], &told["exit_code"]),
        (&json!("the agent ended with exit code 3"), &json!(3))
    );
    let files =
        json!([{"path": "README.md", "added": 1, "removed": 0}, {"path": "blob", "added": 0, "removed": 0}]);
    assert_eq!(told["files_changed"], files);
    assert_eq!(shop.shown(&told["branch_name"], "README.md"), "more");
    let entries = shop.transcript(&session);
    assert!(entries.iter().any(|one| one["stream"] == "stderr" && one["content"] == "no idea\n"));
}

#[test]
fn reports_of_several_turns_are_kept() {
    let shop = Shop::new();
    let script = r#"case "$(cat "$MAYDAY_INSTRUCTIONS")" in
*"And the test."*) echo '{"type": "result", "total_cost_usd": 0.25, "result": "Both are mended."}' ;;
*) echo '{"title": "Mend the cart", "pull_request_url": "https://git.invalid/pull/7", "cost_usd": 0.5}' > "$MAYDAY_RESULT" ;;
esac
echo turn >> turns
"#;
    let session = shop.session(&json!({}));
    shop.say(&session, "And the test.");
    let _machine = shop.machine(script, &[]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert_eq!((&told["cost_usd"], &told["summary"]), (&json!(0.75), &json!("Both are mended.")));
    // It is not a pull request of this repository.
    assert_eq!(told["pull_request_url"], json!(null));
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("`https://git.invalid/pull/7`"), "{notes}");
    assert_eq!(shop.shown(&told["branch_name"], "turns"), "turn\nturn");
    let subject = git(&shop.host(), &["log", "-1", "--format=%s", &text(&told["branch_name"])]);
    assert_eq!(subject, "Mend the cart");
}

#[test]
fn processes_forked_by_an_agent_end_with_it() {
    let shop = Shop::new();
    let script = "setsid sh -c 'echo $$ > \"$0/forked\"; trap \"\" TERM; while :; do sleep 0.1; done' \"$SHOP\" &\n\
        until [ -s \"$SHOP/forked\" ]; do sleep 0.05; done\n";
    let session = shop.session(&json!({}));
    let _machine = shop.machine(script, &[]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert!(!is_alive(&shop.read("forked")));
    // Others still find the repository as it was.
    assert_eq!(git(&shop.host(), &["show", "main:src/cart.mjs"]), CART.trim_end());
}

/// An agent that selects the repository named in its task, prints what it then sees of one, and works in it.
const CHOOSES: &str = r#"case "$(head -n 1 "$MAYDAY_INSTRUCTIONS")" in
"Choose the repository"*)
    echo "$(ls -A | wc -l) files, and a choice of $(grep -c '^- acme/' "$MAYDAY_INSTRUCTIONS")"
    name=$(sed -n 's/^Work in \([a-z/]*\)\.$/\1/p' "$MAYDAY_INSTRUCTIONS")
    echo "{\"repository\": \"$name\"}" > "$MAYDAY_RESULT" ;;
*)
    cat name
    echo mended >> src/cart.mjs ;;
esac
"#;

/// The result of a session whose agent selects one of two repositories, the one of the shop and `acme/other`.
fn choosing(shop: &Shop, name: &str) -> Value {
    let owner = &shop.project.owner;
    let other = shop.file("other");
    git(shop.dir.path(), &["clone", "--quiet", "host.git", "other"]);
    std::fs::write(other.join("name"), "the other one\n").unwrap();
    git(&other, &["add", "--all"]);
    git(&other, &["commit", "--quiet", "--message", "Another"]);
    git(shop.dir.path(), &["clone", "--quiet", "--bare", "other", "other.git"]);
    let url = format!("file://{}", shop.file("other.git").display());
    let body = json!({"hostRepoId": fresh_id(), "hostRepoName": "acme/other", "hostUrl": url});
    owner.post("/api/repos").json(&body).send().expect(200);
    let body = json!({"agentInstructions": format!("Work in {name}."), "allowAgenticRepoSelection": true});
    let automation = owner.post("/api/automations").json(&body).send().expect(200)["automation"].clone();
    let run = owner.post(&format!("/api/automations/{}/run", text(&automation["id"]))).send().expect(201);
    let _machine = shop.machine(CHOOSES, &[]);
    shop.ended(&text(&run["session"]["id"]))
}

#[test]
fn an_agent_chooses_the_repository_to_work_in() {
    let shop = Shop::new();
    let told = choosing(&shop, "acme/other");
    assert_eq!(told["outcome"], "completed", "{told}");
    let session = text(&told["id"]);
    assert_eq!(shop.output(&session), "0 files, and a choice of 2\nthe other one\n");
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("Asking the agent which repository to work in."), "{notes}");
    assert!(notes.contains("Checking out acme/other."), "{notes}");
    assert!(shop.branches().is_empty(), "nothing in the one that was not chosen");
    let mended = format!("{}:src/cart.mjs", text(&told["branch_name"]));
    assert!(git(&shop.file("other.git"), &["show", &mended]).ends_with("mended"));
}

#[test]
fn an_agent_that_chooses_no_repository_of_the_list_fails_with_the_reason() {
    let shop = Shop::new();
    let told = choosing(&shop, "acme/none");
    assert_eq!((&told["status"], &told["outcome"]), (&json!("failed"), &json!("failed")), "{told}");
    assert_eq!(told["reason"], "the agent chose no repository of the list: `acme/none`");
    assert_eq!(shop.output(&text(&told["id"])), "0 files, and a choice of 2\n");
    let other = git(&shop.file("other.git"), &["for-each-ref", "--format=%(refname:short)"]);
    assert_eq!((shop.branches(), other), (Vec::new(), "main".to_owned()));
}
