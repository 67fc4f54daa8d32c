//! Faults while an agent works: killed runners and servers, agents that do not end, people who intervene.

use super::door::Door;
use super::{Shop, is_alive, state};
use crate::support::world::text;
use crate::support::{World, eventually, json};
use rustix::process::Signal;
use std::fs;

/// An agent that reports how far it is and waits for permission to continue.
const WAITS: &str = r#"echo $$ >> "$SHOP/started"
until [ -e "$SHOP/go" ]; do sleep 0.05; done
echo mended >> src/cart.mjs
echo "done by attempt"
"#;

#[test]
fn a_session_of_a_killed_runner_moves_to_another_one() {
    let shop = Shop::losing();
    let session = shop.session(&json!({}));
    let mut first = shop.machine(WAITS, &[]);
    let agent = shop.read("started");
    first.signal(Signal::KILL);
    first.wait();
    eventually("the agent's end", || (!is_alive(&agent)).then_some(()));
    let _second = shop.machine(WAITS, &[]);
    eventually("the other agent", || (shop.read("started").lines().count() >= 2).then_some(()));
    fs::write(shop.file("go"), "").unwrap();
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    // A slow machine may lose the second one, too.
    assert!(told["attempts"].as_i64() >= Some(2), "{told}");
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("The runner was lost."), "{notes}");
    assert_eq!(shop.output(&session), "done by attempt\n");
    assert_eq!(shop.branches().len(), 1);
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("}\nmended"));
}

#[test]
fn a_run_continues_while_the_server_is_away() {
    let mut shop = Shop::new();
    let authority = |shop: &Shop| shop.project.world.server.anonymous().authority().to_owned();
    let door = Door::new(&authority(&shop));
    let session = shop.session(&json!({}));
    let script = "for i in $(seq 1 300); do echo \"line $i\"; [ $i = 100 ] && echo half > \"$SHOP/half\"; sleep 0.01; done\n\
        until [ -e \"$SHOP/go\" ]; do sleep 0.05; done\necho mended >> src/cart.mjs\n";
    let _machine = super::Machine::start(&door.url, &shop, script, &[]);
    shop.read("half");
    shop.project = crate::kill::again(shop.project, World::kill_and_restart);
    door.lead_to(&authority(&shop));
    fs::write(shop.file("go"), "").unwrap();
    let told = shop.ended(&session);
    assert_eq!((&told["outcome"], &told["attempts"]), (&json!("completed"), &json!(1)), "{told}");
    let lines: Vec<String> = (1..=300).map(|number| format!("line {number}")).collect();
    assert_eq!(shop.output(&session).lines().collect::<Vec<_>>(), lines);
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"));
}

#[test]
fn a_proxy_that_answers_for_the_server_ends_neither_a_run_nor_its_runner() {
    let shop = Shop::new();
    let authority = shop.project.world.server.anonymous().authority().to_owned();
    let door = Door::new(&authority);
    let session = shop.session(&json!({}));
    let machine = super::Machine::start(&door.url, &shop, WAITS, &[]);
    shop.read("started");
    door.stand_in();
    std::thread::sleep(std::time::Duration::from_secs(8));
    fs::write(shop.file("go"), "").unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(
        shop.branches().is_empty(),
        "nothing is pushed before the server has said that the session is still its own"
    );
    door.lead_to(&authority);
    let told = shop.ended(&session);
    assert_eq!((&told["outcome"], &told["attempts"]), (&json!("completed"), &json!(1)), "{told}");
    drop(machine);
}

#[test]
fn a_pause_does_not_count_toward_the_time_limit() {
    let shop = Shop::new();
    let session = shop.session(&json!({"timeLimitMinutes": 1}));
    let _machine = shop.machine(WAITS, &[]);
    shop.read("started");
    shop.change(&session, "paused");
    std::thread::sleep(std::time::Duration::from_secs(65));
    shop.change(&session, "running");
    fs::write(shop.file("go"), "").unwrap();
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
}

/// An agent that does something and cannot be talked into ending.
const NEVER_ENDS: &str =
    "trap '' TERM INT HUP\necho half >> half\necho $$ >> \"$SHOP/started\"\nwhile :; do sleep 0.1; done\n";

/// The agents that have started and not ended.
fn alive(shop: &Shop) -> usize {
    shop.read("started").lines().filter(|pid| is_alive(pid)).count()
}

#[test]
fn an_agent_that_never_ends_is_stopped_by_people() {
    let shop = Shop::new();
    let stopped = shop.session(&json!({}));
    let _machine = shop.machine(NEVER_ENDS, &["--agent-grace", "1"]);
    shop.read("started");
    shop.change(&stopped, "stopped");
    let told = shop.ended(&stopped);
    assert_eq!((&told["status"], &told["outcome"]), (&json!("stopped"), &json!("cancelled")), "{told}");
    eventually("the agent's end", || (alive(&shop) == 0).then_some(()));
    assert!(shop.branches().is_empty(), "what was stopped is not pushed");
    let kept = eventually("what it did is kept", || {
        Some(shop.get(&stopped)).filter(|told| told["held_commit"].is_string())
    });
    assert!(text(&kept["patch"]).contains("+half"), "{kept}");
}

#[test]
fn an_agent_that_never_ends_is_paused_at_its_limit_and_continues_with_a_new_one() {
    let shop = Shop::new();
    // As short as there is.
    let session = shop.session(&json!({"timeLimitMinutes": 1}));
    let _machine = shop.machine(NEVER_ENDS, &["--agent-grace", "1"]);
    shop.read("started");
    std::thread::sleep(std::time::Duration::from_secs(40));
    let paused =
        eventually("the pause", || Some(shop.get(&session)).filter(|told| told["status"] == "paused"));
    assert_eq!(paused["reason"], "it took longer than its limit of 1 min", "{paused}");
    assert_eq!(alive(&shop), 0);
    assert!(shop.branches().is_empty() && text(&paused["patch"]).contains("+half"), "{paused}");
    let path = format!("/api/sessions/{session}/continue");
    shop.project.owner.post(&path).json(&json!({})).send().expect(200);
    eventually("the agent that goes on", || (shop.read("started").lines().count() == 2).then_some(()));
    // A person who has waited long enough takes what there is.
    shop.change(&session, "stopped");
    eventually("what it did since is kept", || {
        text(&shop.get(&session)["patch"]).contains("+half\n+half").then_some(())
    });
    let told = shop.released(&session);
    assert_eq!(shop.branches(), [text(&told["branch_name"])]);
    assert_eq!(shop.shown(&told["branch_name"], "half"), "half\nhalf");
}

#[test]
fn output_without_end_costs_neither_memory_nor_room() {
    let shop = Shop::new();
    // 200 MB of lines, one of 100 MB without an end, and the last words.
    let script = "yes 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789 \
        | head -c 200000000\nhead -c 100000000 /dev/zero | tr '\\0' z\necho\necho the last words\n";
    let session = shop.session(&json!({}));
    let machine = shop.machine(script, &[]);
    let told = eventually_long(|| Some(shop.get(&session)).filter(|told| told["ended_at"].is_string()));
    assert_eq!(told["outcome"], "completed", "{told}");
    let memory = machine.memory();
    assert!(memory < 150 << 10, "the runner had {memory} KiB");
    let output = shop.output(&session);
    assert!(output.len() < 10 << 20, "{} bytes are kept", output.len());
    assert!(output.starts_with("0123456789") && output.ends_with("\nthe last words\n"));
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("The transcript is full.") && notes.contains("left out"), "{notes}");
}

/// For things that take minutes on a busy machine.
fn eventually_long<T>(ask: impl FnMut() -> Option<T>) -> T {
    let limit = std::time::Duration::from_mins(8);
    crate::report::within(limit, "the end of much output", ask).unwrap()
}

#[test]
fn a_runner_that_is_stopped_lets_agents_finish_or_hands_them_back() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let mut first = shop.machine(WAITS, &["--grace", "0", "--agent-grace", "1"]);
    let agent = shop.read("started");
    first.signal(Signal::TERM);
    assert!(first.wait().success(), "{}", first.said());
    assert!(!is_alive(&agent));
    let told = shop.get(&session);
    assert_eq!((&told["status"], &told["attempts"]), (&json!("suspended"), &json!(1)), "{told}");
    // Another one is stopped, too, but lets the agent finish.
    let mut second = shop.machine(WAITS, &["--grace", "600"]);
    eventually("the other agent", || (shop.read("started").lines().count() == 2).then_some(()));
    second.signal(Signal::TERM);
    fs::write(shop.file("go"), "").unwrap();
    assert!(second.wait().success(), "{}", second.said());
    let told = shop.get(&session);
    assert_eq!((&told["outcome"], &told["attempts"]), (&json!("completed"), &json!(2)), "{told}");
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("The runner handed the session back."), "{notes}");
}

#[test]
fn a_claim_under_way_at_sigterm_is_handed_back() {
    let shop = Shop::new();
    let door = Door::new(shop.project.world.server.anonymous().authority());
    door.hold(true);
    let mut machine = super::Machine::start(&door.url, &shop, WAITS, &["--grace", "0", "--agent-grace", "1"]);
    let session = shop.session(&json!({}));
    eventually("the claim", || (shop.get(&session)["status"] == "running").then_some(()));
    // The server has given the session away, and the runner does not know yet.
    machine.signal(Signal::TERM);
    eventually("the signal's arrival", || machine.said().contains("Stopping").then_some(()));
    door.hold(false);
    assert!(machine.wait().success(), "{}", machine.said());
    let said = machine.said();
    let about: Vec<&str> = said.lines().filter(|line| line.contains(&session)).collect();
    assert_eq!(about, [format!("{session}: handed back")], "it was not begun: {said}");
    let told = shop.get(&session);
    assert_eq!((&told["status"], &told["attempts"]), (&json!("suspended"), &json!(1)), "{told}");
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("The runner handed the session back.") && !notes.contains("lost"), "{notes}");
}

#[test]
fn people_pause_an_agent_and_talk_to_it() {
    let shop = Shop::new();
    // Once it has started it waits without a child: a shell that is stopped while it starts one may wait for that forever
    // in another state.
    let script = r#"{ cat "$MAYDAY_INSTRUCTIONS"; echo; } > "$SHOP/told"
first=; mkfifo "$SHOP/go" 2> /dev/null && first=yes
echo $$ >> "$SHOP/started"
[ -z "$first" ] || read line < "$SHOP/go"
echo turn >> turns
"#;
    let session = shop.session(&json!({}));
    let _machine = shop.machine(script, &[]);
    let agent = shop.read("started");
    shop.change(&session, "paused");
    eventually("a stopped agent", || (state(&agent) == Some('T')).then_some(()));
    assert_eq!(shop.get(&session)["status"], "paused");
    shop.change(&session, "running");
    eventually("an agent that goes on", || (state(&agent) == Some('S')).then_some(()));
    shop.say_to_runner(&session, "And mend the test.");
    fs::write(shop.file("go"), "\n").unwrap();
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert!(shop.read("told").contains("And mend the test."));
    assert_eq!(shop.read("started").lines().count(), 2, "a turn for each");
    assert_eq!(shop.shown(&told["branch_name"], "turns"), "turn\nturn");
}

#[test]
fn an_agent_with_short_turns_is_told_all_that_people_have_said() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    // More than a runner gets at once.
    let said: Vec<String> = (0..350).map(|number| format!("word {number}")).collect();
    for words in &said {
        shop.say(&session, words);
    }
    let _machine = shop.machine("{ cat \"$MAYDAY_INSTRUCTIONS\"; echo; } >> \"$SHOP/told\"\n", &[]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    let all = shop.read("told");
    let heard: Vec<&str> = all.lines().filter(|line| line.starts_with("word ")).collect();
    assert_eq!(heard, said, "each once, in order");
    let notes = shop.notes(&session).join("\n");
    assert!(!notes.contains("too late"), "{notes}");
}

#[test]
fn a_runner_that_gets_its_lost_session_again_starts_over() {
    let shop = Shop::losing();
    let session = shop.session(&json!({}));
    let machine = shop.machine(WAITS, &["--capacity", "2", "--agent-grace", "1"]);
    let first = shop.read("started");
    // Meanwhile it claims another session: the server returns its own.
    machine.signal(Signal::STOP);
    eventually("the loss", || {
        shop.notes(&session).iter().any(|note| note.contains("The runner was lost.")).then_some(())
    });
    machine.signal(Signal::CONT);
    eventually("the other agent", || (shop.read("started").lines().count() >= 2).then_some(()));
    eventually("the first agent's end", || (!is_alive(&first)).then_some(()));
    // Its end is noticed, and its directory removed.
    eventually("one directory", || (machine.runs().read_dir().unwrap().count() == 1).then_some(()));
    fs::write(shop.file("go"), "").unwrap();
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert!(told["attempts"].as_i64() >= Some(2), "{told}");
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("}\nmended"));
}

/// Holds up every push until there is a file `go`; one that waits says so in `pushing`.
pub(super) fn hold_pushes(shop: &Shop) {
    use std::os::unix::fs::PermissionsExt as _;
    let hook = shop.host().join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let at = shop.dir.path().display();
    let wait = format!("#!/bin/sh\necho x >> '{at}/pushing'\nuntil [ -e '{at}/go' ]; do sleep 0.05; done\n");
    fs::write(&hook, wait).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Says something while a session's work is pushed, and lets the push end once its runner has heard it.
pub(super) fn say_while_pushing(shop: &Shop, session: &str, words: &str) {
    shop.read("pushing");
    shop.say_to_runner(session, words);
    fs::write(shop.file("go"), "").unwrap();
}

#[test]
fn what_people_say_while_the_work_is_pushed_gets_a_turn() {
    let shop = Shop::new();
    hold_pushes(&shop);
    let script = "{ cat \"$MAYDAY_INSTRUCTIONS\"; echo; } >> \"$SHOP/told\"\necho turn >> turns\n";
    let session = shop.session(&json!({}));
    let _machine = shop.machine(script, &[]);
    say_while_pushing(&shop, &session, "And the test.");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert!(shop.read("told").ends_with("And the test.\n"));
    assert_eq!(shop.shown(&told["branch_name"], "turns"), "turn\nturn");
}
