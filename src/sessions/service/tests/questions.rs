//! Notifications about agents that ask something.

use super::*;
use crate::sessions::Phase;
use crate::time::MINUTE;

#[tokio::test]
async fn a_question_causes_one_notification_and_another_after_five_minutes() {
    let (world, start) = (World::new(FOREVER).await, Timestamp::now());
    let id = world.start(&[], start).await;
    let write = world.sessions.main.write(move |tx| {
        let is_told = |(minute, phase)| {
            let now = start.plus(minute * MINUTE);
            sql::leases::set_phase(tx, id, phase, now)?;
            sql::leases::may_tell(tx, id, now, now.plus(-waits::ASKS_APART))
        };
        let (waits, works) = (Phase::WaitingForPerson, Phase::Working);
        [(0, waits), (1, works), (2, waits), (4, waits), (5, waits), (11, waits)]
            .map(is_told)
            .into_iter()
            .collect::<Result<Vec<_>>>()
    });
    assert_eq!(write.await.unwrap(), [true, false, false, false, true, false]);
}
