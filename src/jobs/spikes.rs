//! The look at every hour: which issues escalate, and which have calmed down.

use crate::error::Result;
use crate::issues::spike;
use crate::store::Main;
use crate::time::Timestamp;

/// Issues of one transaction: others write in between.
const AT_ONCE: usize = 100;
/// Issues with much in the current hour that one look takes; the rest are met as their events arrive.
const SUSPECTS: i64 = 5_000;

/// Judges the issues that escalate by their last full hour, and the others by the current one.
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
