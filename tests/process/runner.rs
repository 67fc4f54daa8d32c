//! `mayday runner` as a process: a real git repository with a bug, and scripts that act as agents.

mod acp;
mod cancel;
mod caps;
mod code_hosts;
mod door;
mod held;
mod large;
mod load;
mod long;
mod machine;
mod obeying;
mod pauses;
mod proof;
mod refusals;
mod sandbox;
mod set_up;
mod untrusted;
mod way;

use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Project, Server, Value, World, eventually, json};
use machine::Machine;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// A function that throws for some carts,
const CART: &str = "export function total(cart) {\n  let sum = 0;\n  for (const item of cart.items) sum += item.price.amount;\n  \
    return sum;\n}\n";
/// the test that it fails,
const CHECK: &str = "import assert from \"node:assert/strict\";\nimport { total } from \"./src/cart.mjs\";\n\n\
    assert.equal(total({ items: [{ price: { amount: 3 } }, {}] }), 3);\n";
/// and a script that prints its error as a customer's browser reports it.
const THROW: &str = "import(process.argv[1]).then((cart) => {\n  try { cart.total({ items: [{}] }); } catch (error) { \
    console.log(JSON.stringify({ type: error.name, message: error.message, stack: error.stack })); }\n});";
/// An agent that finds the line in its prompt and fixes it.
const MEND: &str = r#"set -eu
place=$(sed -n 's|.*(https://shop.example/\([^:]*\):\([0-9]*\):.*|\1 \2|p' "$MAYDAY_CONTEXT/untrusted/stack.md" | head -n 1)
file=${place% *} line=${place#* }
echo "Looking at line $line of $file"
sed -i "${line}s/item\.price\.amount/(item.price?.amount ?? 0)/" "$file"
node check.mjs
git commit --quiet --all --message "Items without a price cost nothing"
echo '{"title": "Mend the cart", "summary": "An item had no price."}' > "$MAYDAY_RESULT"
"#;

/// A server, a project, and its repository on this machine.
struct Shop {
    project: Project,
    repository: Value,
    dir: TempDir,
}

impl Shop {
    fn new() -> Self {
        Self::with(|_| ())
    }

    fn with(more: impl FnOnce(&Path)) -> Self {
        Self::leasing("600", more)
    }

    /// One that loses a runner soon: for tests in which one is lost.
    fn losing() -> Self {
        Self::leasing("10", |_| ())
    }

    /// `more` adds files to the repository.
    fn leasing(seconds: &str, more: impl FnOnce(&Path)) -> Self {
        Self::of(
            &[("SERVICE_REPOSITORIES_ALLOW_LOCAL", "true"), ("SERVICE_RUNNER_LEASE_SECONDS", seconds)],
            more,
        )
    }

    /// A shop whose server has these variables.
    fn of(variables: &[(&'static str, &str)], more: impl FnOnce(&Path)) -> Self {
        let world = Arc::new(World::new(Server::start_with(variables)));
        let project = Project::in_world(world, "Shop");
        let dir = tempfile::Builder::new().prefix("mayday-shop-").tempdir().unwrap();
        let first = dir.path().join("first");
        fs::create_dir_all(first.join("src")).unwrap();
        fs::write(first.join("src/cart.mjs"), CART).unwrap();
        fs::write(first.join("check.mjs"), CHECK).unwrap();
        more(&first);
        git(&first, &["init", "--quiet"]);
        git(&first, &["add", "--all"]);
        git(&first, &["commit", "--quiet", "--message", "The shop"]);
        git(dir.path(), &["clone", "--quiet", "--bare", "first", "host.git"]);
        let body = json!({"hostRepoId": fresh_id(), "hostRepoName": "acme/shop",
            "hostUrl": format!("file://{}", dir.path().join("host.git").display())});
        let repository = project.owner.post("/api/repos").json(&body).send().expect(200)["repo"].clone();
        let body = json!({"repositories": [repository["id"]]});
        project.owner.patch(&project.path("")).json(&body).send().expect(200);
        Self { project, repository, dir }
    }

    fn host(&self) -> PathBuf {
        self.dir.path().join("host.git")
    }

    /// A file that agents and tests share.
    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The content of such a file, once its line is complete.
    #[track_caller]
    fn read(&self, name: &str) -> String {
        let path = self.file(name);
        eventually(name, || fs::read_to_string(&path).ok().filter(|text| text.ends_with('\n')))
    }

    /// A runner whose agent is a script; in `$SHOP` is the directory that it shares with the test.
    fn machine(&self, script: &str, arguments: &[&str]) -> Machine {
        Machine::start(&self.project.world.server.anonymous().origin(), self, script, arguments)
    }

    /// A token for a new runner.
    fn token(&self) -> String {
        let body = json!({"name": "a machine"});
        text(&self.project.owner.post("/api/runners").json(&body).send().expect(201)["token"])
    }

    /// A session in the repository; its id.
    fn session(&self, more: &Value) -> String {
        let mut body = json!({"repoId": self.repository["id"], "prompt": "Mend it"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        text(&self.project.owner.post("/api/sessions").json(&body).send().expect(201)["session"]["id"])
    }

    fn get(&self, session: &str) -> Value {
        self.project.owner.get(&format!("/api/sessions/{session}")).send().expect(200)["session"].clone()
    }

    /// The session, once it has ended.
    #[track_caller]
    fn ended(&self, session: &str) -> Value {
        eventually("the session's end", || {
            let session = self.get(session);
            session["ended_at"].is_string().then_some(session)
        })
    }

    /// The session, once its held work has been pushed.
    #[track_caller]
    fn released(&self, session: &str) -> Value {
        let path = format!("/api/sessions/{session}/release");
        self.project.owner.post(&path).json(&json!({})).send().expect(200);
        self.ended(session)
    }

    /// Changes the status of a session.
    fn change(&self, session: &str, status: &str) {
        let body = json!({ "status": status });
        self.project.owner.patch(&format!("/api/sessions/{session}")).json(&body).send().expect(200);
    }

    /// Sends a message to the agent.
    fn say(&self, session: &str, words: &str) {
        let path = format!("/api/sessions/{session}/messages");
        self.project.owner.post(&path).json(&json!({ "content": words })).send().expect(201);
    }

    /// Sends a message to the agent, and returns once the runner has it.
    #[track_caller]
    fn say_to_runner(&self, session: &str, words: &str) {
        self.say(session, words);
        eventually("the message with the runner", || {
            let has_it = |one: &Value| one["content"] == words && one["delivered_at"].is_string();
            self.transcript(session).iter().any(has_it).then_some(())
        });
    }

    /// Every entry of a transcript.
    fn transcript(&self, session: &str) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        loop {
            let after = found.last().map_or(0, |last| last["id"].as_i64().unwrap());
            let path = format!("/api/sessions/{session}/messages?after={after}&limit=1000");
            let page = self.project.owner.get(&path).send().expect(200);
            let page = page["messages"].as_array().unwrap().clone();
            if page.is_empty() {
                return found;
            }
            found.extend(page);
        }
    }

    /// The agent's output.
    fn output(&self, session: &str) -> String {
        let entries = self.transcript(session);
        entries.iter().filter(|entry| entry["role"] == "agent").map(|entry| text(&entry["content"])).collect()
    }

    /// Notes of Mayday and the runner in the transcript.
    fn notes(&self, session: &str) -> Vec<String> {
        let entries = self.transcript(session);
        entries
            .iter()
            .filter(|entry| entry["role"] == "system")
            .map(|entry| text(&entry["content"]))
            .collect()
    }

    /// The branches of the host.
    fn branches(&self) -> Vec<String> {
        let list = git(&self.host(), &["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        list.lines().filter(|name| name.starts_with("mayday/")).map(str::to_owned).collect()
    }

    /// A file as a branch of the host has it.
    fn shown(&self, branch: &Value, path: &str) -> String {
        git(&self.host(), &["show", &format!("{}:{path}", text(branch))])
    }

    /// The error that the cart throws, as a browser would report it.
    fn error(&self) -> Value {
        let cart = self.dir.path().join("first/src/cart.mjs");
        let node = Command::new("node").args(["--eval", THROW]).arg(&cart).output().unwrap();
        assert!(node.status.success(), "{node:?}");
        let place = format!("file://{}", self.dir.path().join("first").display());
        let said = String::from_utf8(node.stdout).unwrap().replace(&place, "https://shop.example");
        json!({"event_id": fresh_id(), "exception": serde_json::from_str::<Value>(&said).unwrap()})
    }
}

/// The output of git, without the configuration of the user who runs the tests.
#[track_caller]
fn git(dir: &Path, words: &[&str]) -> String {
    let own = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"];
    let mut command = Command::new("git");
    command.args(own).args(words).current_dir(dir).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Whether a process is there, and not only its remains.
fn is_alive(pid: &str) -> bool {
    state(pid).is_some_and(|state| state != 'Z')
}

/// `R`, `S`, `T` (stopped) or `Z`.
fn state(pid: &str) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).ok()?;
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}
