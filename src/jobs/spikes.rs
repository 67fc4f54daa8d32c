//! The hourly check: which issues escalate, and which escalations have ended.

use crate::error::Result;
use crate::issues::spike;
use crate::store::Main;
use crate::time::Timestamp;

/// Issues in one transaction; others write in between.
const AT_ONCE: usize = 100;
/// Busy issues of the current hour examined in one check; the others are checked when their events arrive.
const SUSPECTS: i64 = 5_000;

/// Judges escalating issues by their last full hour, and the others by the current one.
pub(super) async fn look(main: &Main, now: Timestamp) -> Result<()> {
    let (escalating, suspects) = main
        .read(move |c| Ok((spike::sql::escalating(c, now)?, spike::sql::suspects(c, now, SUSPECTS)?)))
        .await?;
    for ids in escalating.chunks(AT_ONCE) {
        let ids = ids.to_vec();
        main.write(move |tx| ids.iter().try_for_each(|id| spike::sql::calm(tx, *id, now).map(drop))).await?;
    }
    for issues in suspects.chunks(AT_ONCE) {
        let issues = issues.to_vec();
        main.write(move |tx| {
            issues.iter().try_for_each(|(id, count)| spike::sql::check(tx, *id, *count, now))
        })
        .await?;
    }
    Ok(())
}
