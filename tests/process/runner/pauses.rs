//! Pauses that come before an agent starts, or together with what undoes them.

use super::Shop;
use super::set_up::set;
use crate::support::{eventually, json};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

#[test]
fn a_session_that_is_paused_before_its_agent_starts_waits_and_goes_on() {
    let shop = Shop::new();
    let at = shop.dir.path().display();
    let hold = format!("echo x > '{at}/setting_up'; until [ -e '{at}/go' ]; do sleep 0.05; done");
    set(&shop, &shop.repository, &hold);
    let session = shop.session(&json!({}));
    let script = "[ -e \"$SHOP/continued\" ] && echo after || echo before\necho turn >> turns\n";
    let machine = shop.machine(script, &[]);
    shop.read("setting_up");
    shop.change(&session, "paused");
    // A runner that has heard what is said after the pause knows of the pause, too.
    shop.say_to_runner(&session, "And mend the test.");
    fs::write(shop.file("go"), "").unwrap();
    eventually("the agent's instructions", || {
        let mut runs = machine.runs().read_dir().unwrap();
        runs.any(|run| run.unwrap().path().join("given/instructions.md").exists()).then_some(())
    });
    // An agent that did not wait would start meanwhile.
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(shop.get(&session)["status"], "paused", "{:#?}", shop.notes(&session));
    fs::write(shop.file("continued"), "").unwrap();
    shop.change(&session, "running");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert_eq!(shop.output(&session), "after\nafter\n", "a turn for the task, and one for the message");
    assert_eq!(shop.shown(&told["branch_name"], "turns"), "turn\nturn");
}

#[test]
fn a_pause_during_the_set_up_does_not_count_toward_the_time_limit() {
    let shop = Shop::new();
    let at = shop.dir.path().display();
    let hold = format!("echo x > '{at}/setting_up'; until [ -e '{at}/go' ]; do sleep 0.05; done");
    set(&shop, &shop.repository, &hold);
    let session = shop.session(&json!({"timeLimitMinutes": 1}));
    let _machine = shop.machine("echo turn >> turns\n", &[]);
    shop.read("setting_up");
    shop.change(&session, "paused");
    std::thread::sleep(Duration::from_secs(65));
    assert_eq!(shop.get(&session)["status"], "paused", "{:#?}", shop.notes(&session));
    fs::write(shop.file("go"), "").unwrap();
    shop.change(&session, "running");
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told}");
    assert_eq!(shop.shown(&told["branch_name"], "turns"), "turn");
}

/// A supervisor whose agent is a shell script.
struct Supervisor {
    child: Child,
    input: ChildStdin,
    said: Receiver<String>,
}

impl Supervisor {
    /// Starts it; the agent says something first.
    fn start(script: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mayday"));
        command.args(["runner-supervise", "--grace", "30", "--parent", &std::process::id().to_string()]);
        command.args(["--", "sh", "-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, said) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let supervisor = Self { child, input, said };
        supervisor.hear();
        supervisor
    }

    #[track_caller]
    fn hear(&self) -> String {
        eventually("what the agent says", || self.said.try_recv().ok())
    }

    /// Sends several signals that the supervisor gets together.
    fn tell(&self, signals: &[Signal]) {
        let supervisor = Pid::from_child(&self.child);
        for signal in [&[Signal::STOP], signals, &[Signal::CONT]].concat() {
            kill_process(supervisor, signal).unwrap();
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The agent gets SIGTERM, and is killed after its grace period.
        if let Ok(None) = self.child.try_wait() {
            let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
            let _ = self.child.wait();
        }
    }
}

#[test]
fn an_agent_goes_on_after_a_pause_that_comes_together_with_its_end() {
    let mut supervisor = Supervisor::start("echo ready; exec cat");
    for round in 0..20 {
        supervisor.tell(&[Signal::USR1, Signal::USR2]);
        writeln!(supervisor.input, "{round}").unwrap();
        assert_eq!(supervisor.hear(), round.to_string());
    }
}

#[test]
fn an_agent_that_is_ended_as_it_is_paused_gets_its_grace_period() {
    for _ in 0..5 {
        let script = "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
        let mut supervisor = Supervisor::start(script);
        supervisor.tell(&[Signal::USR1, Signal::TERM]);
        let ended = eventually("the supervisor's end", || supervisor.child.try_wait().unwrap());
        assert_eq!((ended.code(), supervisor.hear().as_str()), (Some(3), "bye"));
    }
}
