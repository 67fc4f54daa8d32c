//! Agents that speak the Agent Client Protocol; a script acts as one. `make test-agents` has a real one.

mod end;

use super::long::{hold_pushes, say_while_pushing};
use super::{Machine, Shop};
use crate::support::world::text;
use crate::support::{Value, eventually, json};

/// The common part of all of them: messages by line, and one prompt after another.
const SPEAKS: &str = r#"
import json, os, subprocess, sys, time

number, version, loads = 1000, 1, False
# How the sessions of this process began.
begun = []

def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit(0)

def update(**told):
    send(method="session/update", params={"sessionId": "s", "update": told})

def says(text):
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})

def runs(command):
    call = {"toolCallId": command, "title": "bash", "kind": "execute", "rawInput": {"command": command}}
    update(sessionUpdate="tool_call", status="in_progress", **call)
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    content = [{"type": "content", "content": {"type": "text", "text": done.stdout + done.stderr}}]
    update(sessionUpdate="tool_call_update", toolCallId=command, status="completed", content=content)

def may(title, kind):
    """Asks for permission; what else comes meanwhile is a cancellation."""
    global number
    number += 1
    options = [{"optionId": name, "name": name, "kind": name} for name in ("allow_always", "allow_once", "reject_once")]
    call = {"toolCallId": title, "title": title, "kind": kind}
    send(id=number, method="session/request_permission", params={"sessionId": "s", "toolCall": call, "options": options})
    while True:
        message = hear()
        if message.get("id") == number and "result" in message:
            outcome = message["result"]["outcome"]
            return outcome.get("optionId", outcome["outcome"])

def load(session):
    """Tells what was said in it, or returns why it cannot."""

def talk(work):
    while True:
        message = hear()
        method, answer = message.get("method"), {}
        if method == "initialize":
            answer = {"protocolVersion": version, "agentCapabilities": {"loadSession": loads}}
        elif method == "session/new":
            os.chdir(message["params"]["cwd"])
            begun.append("new")
            answer = {"sessionId": "s"}
        elif method == "session/load":
            os.chdir(message["params"]["cwd"])
            begun.append("load " + message["params"]["sessionId"])
            why = load(message["params"]["sessionId"])
            if why:
                send(id=message["id"], error={"code": -32002, "message": why})
                continue
        elif method == "session/prompt":
            reason = work("".join(part["text"] for part in message["params"]["prompt"]))
            answer = {"stopReason": reason or "end_turn"}
        if "id" in message:
            send(id=message["id"], result=answer)
"#;

/// A runner whose agent works like this.
fn machine(shop: &Shop, work: &str, arguments: &[&str]) -> Machine {
    let url = shop.project.world.server.anonymous().origin();
    Machine::talking(&url, shop, &format!("{SPEAKS}\n{work}\ntalk(work)\n"), arguments)
}

fn waiting(shop: &Shop, session: &str) -> Value {
    eventually("the question", || {
        let told = shop.get(session);
        (told["phase"] == "waiting_for_person").then_some(told)
    })
}

fn asked(shop: &Shop, session: &str, what: &str) {
    eventually(what, || shop.notes(session).iter().any(|note| note.contains(what)).then_some(()));
}

#[test]
fn an_agent_gets_messages_and_follows_them() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    print("a line of its own", flush=True)
    says("I was told: " + text[:7])
    runs("echo mended >> src/cart.mjs; echo done")
    says("An item had ")
    says("no price.")
"#;
    let machine = machine(&shop, work, &[]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert_eq!(told["summary"], "An item had no price.");
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"), "{told}");
    let said = shop.transcript(&session);
    let by = |role: &str| -> Vec<String> {
        said.iter().filter(|entry| entry["role"] == role).map(|entry| text(&entry["content"])).collect()
    };
    assert_eq!(by("tool"), ["bash: echo mended >> src/cart.mjs; echo done", "done\n"]);
    assert_eq!(by("agent"), ["a line of its own\n", "I was told: Mend it", "An item had no price."]);
}

#[test]
fn people_allow_and_refuse_and_the_session_waits_for_them() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    if text.startswith("Mend"):
        says(may("Delete the shop", "delete") + " ")
        says(may("Mend the cart", "edit") + " ")
        says(may("Leave the plan", "switch_mode"))
        runs("echo mended >> src/cart.mjs")
    else:
        says("then " + text)
"#;
    let machine = machine(&shop, work, &[]);
    let told = waiting(&shop, &session);
    assert!(told["phase_since"].is_string(), "{told}");
    let token = json!({"name": "agent", "scopes": ["read", "write"]});
    let token = shop.project.owner.post("/api/v1/me/tokens").json(&token).send().expect(201);
    let tool = shop.project.world.bearer(&text(&token["token"]));
    let path = format!("/api/sessions/{session}/messages");
    for answer in ["Allow 1", "allow", "yes."] {
        tool.post(&path).json(&json!({"content": answer})).send().expect(201);
    }
    eventually("the answers that do not count", || {
        let notes = shop.notes(&session).join("\n");
        (notes.matches("left out: only a person who is signed in may allow").count() == 3).then_some(())
    });
    shop.say(&session, "Refuse");
    asked(&shop, &session, "Mend the cart");
    shop.say(&session, "allow");
    asked(&shop, &session, "Leave the plan");
    shop.say(&session, "Go on with the other file");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    let output = shop.output(&session);
    assert!(output.contains("reject_once allow_once reject_once"), "{output}");
    assert!(output.contains("then Go on with the other file"), "{output}");
    let notes = shop.notes(&session);
    for note in [
        "Refused: “Delete the shop”.",
        "Allowed: “Mend the cart”.",
        "the answer was another: “Leave the plan”.",
    ] {
        assert!(notes.iter().any(|said| said.contains(note)), "{note} {notes:?}");
    }
}

#[test]
fn an_unanswered_question_is_refused_and_further_ones_at_once() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    for number in range(40):
        says(may("Do thing %d" % number, "execute") + " ")
    runs("echo mended >> src/cart.mjs")
"#;
    let machine = machine(&shop, work, &["--patience", "2"]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert_eq!(shop.output(&session).matches("reject_once").count(), 40);
    let notes = shop.notes(&session);
    let count = |why: &str| notes.iter().filter(|note| note.contains(why)).count();
    assert_eq!((count("nobody has answered"), count("nobody answers")), (1, 39), "{notes:?}");
}

#[test]
fn an_answer_applies_only_to_questions_asked_before_it() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    says("begun\n")
    while not os.path.exists(os.environ["SHOP"] + "/go"):
        time.sleep(0.05)
    says(may("Delete the shop", "delete") + "\n")
"#;
    let _machine = machine(&shop, work, &["--patience", "5"]);
    eventually("its beginning", || shop.output(&session).contains("begun").then_some(()));
    shop.say_to_runner(&session, "Allow");
    std::fs::write(shop.file("go"), "").unwrap();
    shop.ended(&session);
    assert!(shop.output(&session).contains("reject_once"), "{}", shop.output(&session));
}

#[test]
fn an_agent_that_floods_or_ends_with_an_open_question_holds_up_nothing() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    print("y\n" * 1000000, end="", flush=True)
    for number in range(300):
        update(sessionUpdate="tool_call", toolCallId="x" * 100000 + str(number), title="a", status="pending")
    call = {"toolCallId": "1", "title": "Leave the plan", "kind": "switch_mode"}
    send(id="open", method="session/request_permission", params={"sessionId": "s", "toolCall": call, "options": []})
    time.sleep(1)
    runs("echo mended >> src/cart.mjs")
"#;
    let machine = machine(&shop, work, &[]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert!(machine.memory() < 200 << 10, "{} KiB", machine.memory());
}

#[test]
fn in_a_sandbox_nobody_is_asked_about_what_the_sandbox_limits() {
    if !super::sandbox::has_rooms() {
        return;
    }
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    says(may("Run a command", "execute"))
    runs("echo mended >> src/cart.mjs")
    says(may("Leave the plan", "switch_mode"))
"#;
    let _machine = machine(&shop, work, &["--isolation", "sandbox"]);
    waiting(&shop, &session);
    shop.say(&session, "no");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"), "{told}");
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("Allowed, since it is in its room: “Run a command”."), "{notes}");
    assert!(notes.contains("Refused: “Leave the plan”."), "{notes}");
}

#[test]
fn a_cancelled_agent_is_notified_first() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let work = r#"
def work(text):
    runs("echo half >> src/cart.mjs")
    says("working")
    while hear().get("method") != "session/cancel":
        pass
    runs('echo told > "$SHOP/told"')
    return "cancelled"
"#;
    let _machine = machine(&shop, work, &[]);
    eventually("its words", || shop.output(&session).contains("working").then_some(()));
    shop.change(&session, "stopped");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "cancelled", "{told}");
    assert_eq!(shop.read("told"), "told\n");
    assert!(shop.branches().is_empty(), "{told}");
}

#[test]
fn unfinished_work_is_no_success_and_is_not_pushed() {
    let shop = Shop::new();
    for (work, why) in [
        (
            "def work(text):\n    runs('echo half >> src/cart.mjs')\n    return 'refusal'",
            "it refused to go on",
        ),
        (
            "def work(text):\n    runs('echo half >> src/cart.mjs')\n    return 'cancelled'",
            "ended before it was done",
        ),
        (
            "def work(text):\n    runs('echo half >> src/cart.mjs')\n    sys.exit(0)",
            "ended before it was done",
        ),
        ("def work(text):\n    runs('echo half >> src/cart.mjs')\n    sys.exit(7)", "exit code 7"),
        ("version = 9\ndef work(text):\n    pass", "version 1"),
        ("def work(text):\n    print('{' * (5 << 20), flush=True)", "talked to"),
    ] {
        let session = shop.session(&json!({}));
        let machine = machine(&shop, work, &["--once"]);
        let told = shop.ended(&session);
        assert_eq!(told["outcome"], "failed", "{work} {told} {}", machine.said());
        assert!(text(&told["reason"]).contains(why), "{work} {told}");
        assert!(shop.branches().is_empty(), "{work} {told}");
    }
}

#[test]
fn messages_of_the_protocol_count_as_output() {
    let shop = Shop::new();
    let session = shop.session(&json!({"caps": {"outputBytes": 100_000}}));
    let work = r#"
def work(text):
    runs("echo mended > mended")
    for _ in range(300):
        says("I am thinking. " * 70)
    while hear().get("method") != "session/cancel":
        pass
    return "cancelled"
"#;
    let machine = machine(&shop, work, &[]);
    let paused = eventually("the pause", || {
        let told = shop.get(&session);
        (told["status"] == "paused").then_some(told)
    });
    assert!(text(&paused["reason"]).ends_with(", and may write 0.10 MB"), "{paused} {}", machine.said());
    assert!(text(&paused["patch"]).contains("mended"), "{paused}");
    assert!(shop.branches().is_empty());
}

/// What becomes of a session whose agent is started again after its work was pushed, and what the agent said and did. It says how
/// its session began; `load` has what it makes of an earlier one, and what its session has cost by then.
fn resumed(load: &str) -> (Value, Vec<String>) {
    let work = format!(
        r#"
loads = True
{load}
def work(text):
    update(sessionUpdate="usage_update", used=1, size=2, cost={{"amount": cost(), "currency": "USD"}})
    runs("echo turn >> turns")
    says(", ".join(begun) + ": " + text.splitlines()[0])
"#
    );
    let shop = Shop::new();
    hold_pushes(&shop);
    let session = shop.session(&json!({}));
    let machine = machine(&shop, &work, &[]);
    say_while_pushing(&shop, &session, "And the test.");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert_eq!(shop.shown(&told["branch_name"], "turns"), "turn\nturn", "both are in the same checkout");
    let is_agents = |entry: &Value| entry["role"] == "agent" || entry["role"] == "tool";
    let said = shop.transcript(&session).into_iter().filter(is_agents);
    (told, said.map(|entry| text(&entry["content"])).collect())
}

#[test]
fn an_agent_that_is_started_again_goes_on_with_its_session() {
    let load = r#"
def cost():
    return 0.5 if begun == ["new"] else 0.75

def load(session):
    update(sessionUpdate="user_message_chunk", content={"type": "text", "text": "Mend it"})
    says("repeated words")
    runs("echo repeated call")
    update(sessionUpdate="usage_update", used=1, size=2, cost={"amount": 9, "currency": "USD"})
"#;
    let (told, said) = resumed(load);
    let bash = "bash: echo turn >> turns";
    let expected = [bash, "new: Mend it", bash, "load s: And the test."];
    assert_eq!(said, expected, "what it repeats is no news");
    assert_eq!(told["summary"], "load s: And the test.");
    assert_eq!(told["cost_usd"], 0.75, "what the session had cost before is not counted twice");
}

#[test]
fn an_agent_that_no_longer_knows_its_session_begins_another() {
    let load = r#"
def cost():
    return 0.5

def load(session):
    says("repeated words")
    return "no such session"
"#;
    let (told, said) = resumed(load);
    assert_eq!(said.last().map(String::as_str), Some("load s, new: And the test."), "{said:?}");
    assert!(!said.iter().any(|words| words.contains("repeated")), "{said:?}");
    assert_eq!(told["cost_usd"], 1.0, "a session of its own costs what it says");
}
