//! Takes sessions from lost runners, ends what no runner takes or nobody continues, and asks what became of pull
//! requests.

use super::service::SessionService;
use super::service::pull_states::PullStates;
use crate::connections::service::Connector;
use crate::jobs::Job;
use crate::time::Timestamp;
use std::sync::Arc;
use std::time::Duration;

/// How often lost runners are looked for.
const EXPIRE: Duration = Duration::from_secs(2);
/// How often to look for sessions that no runner takes, or that nobody continues.
const GIVE_UP: Duration = Duration::from_mins(1);
/// How often a code host is asked for a pull request: all of them together get at most six requests a minute.
const ASK: Duration = Duration::from_secs(10);

/// The jobs of sessions.
pub fn jobs(sessions: &SessionService, connector: &Arc<Connector>) -> Vec<Job> {
    let expiring = sessions.clone();
    let expire = move || {
        let sessions = expiring.clone();
        async move { sessions.expire().await }
    };
    let giving_up = sessions.clone();
    let give_up = move || {
        let sessions = giving_up.clone();
        async move { sessions.give_up(Timestamp::now()).await }
    };
    let states = PullStates::new(connector, sessions);
    let ask = move || {
        let states = states.clone();
        async move { states.look(Timestamp::now()).await }
    };
    vec![
        Job::every("session_leases", EXPIRE, expire).at_start(),
        Job::every("session_runners", GIVE_UP, give_up),
        Job::every("pull_request_states", ASK, ask).cut_short(),
    ]
}
