//! Periodic work of the audit log.

use super::sql;
use crate::jobs::Job;
use crate::store::Main;
use crate::time::Timestamp;
use std::time::Duration;

/// How often entries that are too old or too many are removed.
const SWEEP: Duration = Duration::from_mins(1);

/// The jobs of the audit log.
pub fn jobs(main: &Main) -> Vec<Job> {
    let main = main.clone();
    let sweep = move || {
        let main = main.clone();
        async move { main.write(|tx| sql::sweep(tx, Timestamp::now())).await }
    };
    vec![Job::every("audit_log", SWEEP, sweep)]
}
