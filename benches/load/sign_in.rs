//! Intake while many sign in at once: hashing passwords is bounded, so it must not be felt much.

use crate::client::Connection;
use crate::drive::{Load, Outcome, open};
use crate::instance::Instance;
use crate::process::memory;
use crate::report::{Report, table};
use crate::{Plan, Result};
use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

/// Events a second, and the connections that send them.
const PACE: u32 = 300;
const CONNECTIONS: usize = 32;
/// Sign-ins at once.
const SIGN_INS: usize = 200;

/// The same steady load, first alone, then while the sign-ins go on and on.
pub(crate) async fn measure(instance: &mut Instance, plan: &Plan, report: &mut Report) -> Result<()> {
    let quiet = run(instance, plan).await?;
    let before = memory(instance.server.pid())?.all;
    let (done, peak) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(before)));
    let tasks = tokio::task::LocalSet::new();
    for number in 0..SIGN_INS {
        tasks.spawn_local(sign_in_again_and_again(instance.server.address, number, done.clone()));
    }
    let pid = instance.server.pid();
    let highest = peak.clone();
    tasks.spawn_local(async move {
        while let Ok(now) = memory(pid) {
            highest.set(highest.get().max(now.all));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let busy = tasks.run_until(run(instance, plan)).await?;
    drop(tasks);
    let (quiet, busy) = (quiet.percentile(0.99), busy.percentile(0.99));
    let grown = (peak.get() - before) as f64 / f64::from(1 << 20);
    let rows = [[
        format!("{quiet:.2}"),
        format!("{busy:.2}"),
        format!("{:.2}", busy / quiet),
        format!("{}", done.get()),
        format!("{grown:.0}"),
    ]];
    let head = ["p99 ms alone", "p99 ms then", "÷", "sign-ins judged", "memory + MiB"];
    table(&format!("Intake, {PACE}/s, while {SIGN_INS} sign in at once"), &head, &rows);
    report.at_most("intake p99 while 200 sign in ÷ alone", busy / quiet, 2.0, 1.5, "×");
    report.at_most("memory for 200 sign-ins", grown, 60.0, 50.0, "MiB");
    Ok(())
}

async fn run(instance: &mut Instance, plan: &Plan) -> Result<Outcome> {
    let load = Load { connections: CONNECTIONS, time: plan.steady, requests: 60_000 };
    let pool = instance.pool.clone();
    let outcome = open(instance.server.address, &pool, load, PACE).await;
    instance.accepted += outcome.accepted();
    instance.readable().await?;
    Ok(outcome)
}

/// Wrong and right passwords in turn, each time from another address: nothing is throttled.
async fn sign_in_again_and_again(address: SocketAddr, number: usize, done: Rc<Cell<u64>>) {
    let Ok(mut connection) = Connection::open(address).await else { return };
    for turn in 0_usize.. {
        let password = if turn % 2 == 0 { "correct horse battery" } else { "wrong horse battery" };
        let body = format!("{{\"email\":\"bench@example.com\",\"password\":\"{password}\"}}");
        let from = format!("10.{}.{}.{}", number, turn / 250 % 250, turn % 250);
        let request = format!(
            "POST /auth/password/login HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: {from}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        match connection.send(request.as_bytes()).await {
            // Too many at once: as the answer says, in a second again.
            Ok(503) => tokio::time::sleep(Duration::from_secs(1)).await,
            Ok(_) => done.set(done.get() + 1),
            Err(_) => return,
        }
    }
}
