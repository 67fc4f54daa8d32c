//! Periodic work of accounts.

use super::{flows, links, sign_in};
use crate::jobs::Job;
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use std::time::Duration;

/// How often sessions, links and flows that have ended are removed.
const SWEEP: Duration = Duration::from_mins(1);

/// The jobs of accounts.
pub fn jobs(main: &Main) -> Vec<Job> {
    let main = main.clone();
    let sweep = move || {
        let main = main.clone();
        async move {
            let sweep = |tx: &Transaction<'_>| {
                let now = Timestamp::now();
                sign_in::sql::sweep(tx, now)?;
                links::sql::sweep(tx, now)?;
                flows::sql::sweep(tx, now)
            };
            main.write(sweep).await
        }
    };
    vec![Job::every("sign_ins", SWEEP, sweep)]
}
