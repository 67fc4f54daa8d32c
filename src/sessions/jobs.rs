//! Takes sessions from lost runners, and ends those that no runner takes.

use super::service::SessionService;
use crate::jobs::Job;
use crate::time::Timestamp;
use std::time::Duration;

/// How often lost runners are looked for.
const EXPIRE: Duration = Duration::from_secs(2);
/// How often to look for sessions that no runner takes.
const GIVE_UP: Duration = Duration::from_mins(1);

/// The jobs of sessions.
pub fn jobs(sessions: &SessionService) -> Vec<Job> {
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
    vec![
        Job::every("session_leases", EXPIRE, expire).at_start(),
        Job::every("session_runners", GIVE_UP, give_up),
    ]
}
