//! Asks the server for a session.

use super::protocol::{Claim, Claimed, Job};
use super::server::{self, Server};
use super::settings::Settings;
use super::{Arguments, run};
use std::time::Duration;
use tokio::sync::watch;

/// How long the server may hold a claim without work, in seconds: less than the time after which the client considers
/// a silent server dead.
const HELD: u64 = 20;
/// How long a session that came too late is handed back: the time of the others (`--grace`) begins only after that.
const HANDED_BACK_WITHIN: Duration = Duration::from_secs(10);

/// Claims a session; `None` once the runner is stopping. A session that comes even so is handed back: nobody else would
/// get it before its lease ends.
pub(super) fn claim(
    arguments: &Arguments,
    settings: &Settings,
    server: &Server,
    (running, stopping): (usize, &watch::Receiver<u32>),
) -> Option<server::Result<Option<Job>>> {
    let agents = settings.agents.offered();
    let claim = Claim {
        version: crate::version::version(),
        platform: format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH),
        labels: &arguments.labels,
        capacity: usize::from(arguments.capacity),
        running,
        agents: &agents,
        wait_seconds: HELD,
        own_models: arguments.own_models,
        refuses_public: settings.refuses.is_some(),
        uncounted: settings.isolation.uncounted(),
    };
    let mut stopped = stopping.clone();
    let stop = async move { drop(stopped.wait_for(|count| *count > 0).await) };
    let answer = server.post_and_wait::<Claimed>("claim", &claim, Duration::from_secs(HELD), stop)?;
    let answer = answer.map(|claimed| claimed.map(|claimed| claimed.job));
    match answer {
        Ok(Some(job)) if *stopping.borrow() > 0 => {
            run::hand_back(server, &job, HANDED_BACK_WITHIN);
            None
        }
        answer => Some(answer),
    }
}
