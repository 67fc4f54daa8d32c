//! A person stops a session, whatever the state of its runner and the server.

use super::door::Door;
use super::machine::Machine;
use super::{Shop, is_alive};
use crate::support::world::text;
use crate::support::{World, eventually, json};
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// An agent that does something, and never ends.
const NEVER_ENDS: &str = "echo half >> half\necho $$ >> \"$SHOP/started\"\nwhile :; do sleep 0.1; done\n";
/// An address without a listener.
const NOWHERE: &str = "127.0.0.1:1";

#[test]
fn a_session_of_a_dead_runner_is_stopped_at_once_and_finally() {
    // Its lease lasts for ten minutes more.
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let mut dead = shop.machine(NEVER_ENDS, &[]);
    let agent = shop.read("started");
    dead.signal(Signal::KILL);
    dead.wait();
    let asked = Instant::now();
    shop.change(&session, "stopped");
    let told = shop.get(&session);
    assert_eq!((&told["status"], &told["outcome"]), (&json!("stopped"), &json!("cancelled")), "{told}");
    assert!(told["ended_at"].is_string() && asked.elapsed() < Duration::from_secs(60), "{told}");
    eventually("the agent's end", || (!is_alive(&agent)).then_some(()));
    // No other runner is given it.
    let next = shop.session(&json!({}));
    let _other = shop.machine("echo mended >> src/cart.mjs\n", &[]);
    shop.ended(&next);
    let told = shop.get(&session);
    assert_eq!((&told["outcome"], &told["attempts"]), (&json!("cancelled"), &json!(1)), "{told}");
    assert_eq!(shop.branches(), [text(&shop.get(&next)["branch_name"])]);
}

#[test]
fn a_session_that_is_stopped_while_its_runner_is_cut_off_ends_there_after_a_restart_of_the_server() {
    let mut shop = Shop::new();
    let authority = |shop: &Shop| shop.project.world.server.anonymous().authority().to_owned();
    let door = Door::new(&authority(&shop));
    let session = shop.session(&json!({}));
    let _machine = Machine::start(&door.url, &shop, NEVER_ENDS, &["--agent-grace", "1"]);
    let agent = shop.read("started");
    door.lead_to(NOWHERE);
    // Open connections end with the server.
    shop.project = crate::kill::again(shop.project, World::kill_and_restart);
    shop.change(&session, "stopped");
    shop.project = crate::kill::again(shop.project, World::kill_and_restart);
    assert_eq!(shop.get(&session)["outcome"], "cancelled");
    assert!(is_alive(&agent), "the runner does not know yet");
    door.lead_to(&authority(&shop));
    eventually("the agent's end", || (!is_alive(&agent)).then_some(()));
    let kept = eventually("what it did is kept", || {
        Some(shop.get(&session)).filter(|told| told["held_commit"].is_string())
    });
    assert!(text(&kept["patch"]).contains("+half") && shop.branches().is_empty(), "{kept}");
}
