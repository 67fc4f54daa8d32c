//! Sessions that pause, and those that nobody continues.

use super::*;

#[tokio::test]
async fn a_session_that_continues_after_its_time_limit_has_all_of_its_time_again() {
    let world = World::new(Duration::from_secs(1_000_000)).await;
    let id = world.start(&[], Timestamp::now()).await;
    let start = Instant::now();
    let after = async |minutes: u64| {
        world.sessions.expire_at(start + Duration::from_mins(minutes)).await.unwrap();
        world.get(id).await.status
    };
    let held = world.claim().await.unwrap();
    assert_eq!(after(65).await, SessionStatus::Running);
    world.finish(&held, "timed_out").await;
    assert_eq!(after(1_000).await, SessionStatus::Paused);
    let organization = world.organization;
    let write = move |tx: &Transaction<'_>| {
        proceed::proceed(tx, organization, id, (proceed::Proceed::default(), None), Timestamp::now())
    };
    world.sessions.main.write(write).await.unwrap();
    world.claim().await.unwrap();
    assert_eq!(after(70).await, SessionStatus::Running);
    assert_eq!(after(76).await, SessionStatus::Stopped);
}

#[tokio::test]
async fn minutes_of_a_pause_cost_nothing() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    world.claim().await.unwrap();
    let now = Timestamp::now();
    let times = async || {
        let read = move |c: &crate::store::Connection| {
            let times = "select active_ms, active_since from sessions where id = ?1";
            Ok(c.query_row(times, [id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?)))?)
        };
        world.sessions.main.read(read).await.unwrap()
    };
    world.sessions.main.write(move |tx| sql::pause(tx, id, now.plus(HOUR))).await.unwrap();
    let (before, since) = times().await;
    assert!((HOUR..=HOUR + 60_000).contains(&before) && since.is_none(), "{before}");
    world.sessions.main.write(move |tx| sql::resume(tx, id, now.plus(2 * HOUR))).await.unwrap();
    assert_eq!(times().await, (before, Some(now.plus(2 * HOUR).millis())));
}

impl World {
    /// Reports the end of a session's run, whose work is kept.
    async fn finish(&self, held: &SessionLease, outcome: &str) {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let body = serde_json::json!({"lease": held.lease, "outcome": outcome, "held_commit": commit});
        let request: FinishRequest = serde_json::from_value(body).unwrap();
        self.sessions.finish(&self.runner, held.id, request).await.unwrap();
    }
}

#[tokio::test]
async fn a_session_that_nobody_continues_ends_after_thirty_days() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    let held = world.claim().await.unwrap();
    world.finish(&held, "capped").await;
    let parked = world.get(id).await.paused_at.unwrap();
    for (now, status) in
        [(parked.plus(30 * DAY - 1), SessionStatus::Paused), (parked.plus(30 * DAY), SessionStatus::Stopped)]
    {
        world.sessions.give_up(now).await.unwrap();
        assert_eq!(world.get(id).await.status, status);
    }
    let session = world.get(id).await;
    let reason = "it reached a cap; nobody let it go on within 30 days";
    assert_eq!((session.outcome, session.reason.as_deref()), (Some(Outcome::TimedOut), Some(reason)));
    assert_eq!(session.ended_at, Some(parked.plus(30 * DAY)));
    assert_eq!(session.held_commit, None, "its runner keeps nothing any more");
}

#[tokio::test]
async fn a_paused_session_that_a_runner_has_does_not_end() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    let held = world.claim().await.unwrap();
    world.sessions.main.write(move |tx| sql::pause(tx, id, Timestamp::now())).await.unwrap();
    world.sessions.give_up(Timestamp::now().plus(31 * DAY)).await.unwrap();
    assert_eq!(world.get(id).await.status, SessionStatus::Paused);
    world.renew(&held).await.unwrap();
}
