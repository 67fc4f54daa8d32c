//! Lost runners, and sessions that nobody takes. The calls of runners are tested over HTTP.

mod pauses;
mod questions;

use super::runs::Caller;
use super::*;
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::deliveries::Deliveries;
use crate::organizations::sql as organizations_sql;
use crate::runners::protocol::{ClaimRequest, FinishRequest, RenewRequest, RunOutcome};
use crate::runners::sql::NewRunner;
use crate::sessions::sql::NewSession;
use crate::sessions::sql::offers::Offer;
use crate::sessions::sql::samples::new_session;
use crate::store::Fatal;
use crate::time::{DAY, HOUR};

/// Long enough that nothing else happens meanwhile.
const FOREVER: Duration = Duration::from_secs(3_600);

/// Deliveries that lead nowhere.
fn nowhere() -> Arc<Deliveries> {
    Arc::new(Deliveries::new(Vec::new(), Seal::new(&Secret::new("key"))))
}

struct World {
    sessions: SessionService,
    organization: OrganizationId,
    runner: Caller,
    _data: tempfile::TempDir,
}

impl World {
    async fn new(lease: Duration) -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let sessions = SessionService::new(&main, &Arc::default(), &nowhere(), lease);
        let write = main.write(|tx| {
            let now = Timestamp::now();
            let organization = organizations_sql::create(tx, "Acme", now)?;
            let new = NewRunner {
                organization,
                name: "machine".to_owned(),
                labels: Vec::new(),
                token_hash: [1; 32],
                created_by: None,
            };
            let id = crate::runners::sql::create(tx, &new, now)?.id;
            Ok(Caller { id, organization, labels: Vec::new() })
        });
        let runner = write.await.unwrap();
        Self { sessions, organization: runner.organization, runner, _data: data }
    }

    async fn start(&self, labels: &[&str], now: Timestamp) -> SessionId {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        let new = NewSession { labels, ..new_session(self.organization) };
        self.sessions.main.write(move |tx| start(tx, &new, now)).await.unwrap()
    }

    async fn claim(&self) -> Option<SessionLease> {
        let request: ClaimRequest = serde_json::from_str("{}").unwrap();
        self.sessions.claim(&self.runner, &request, std::future::pending()).await.unwrap()
    }

    async fn get(&self, id: SessionId) -> Session {
        let organization = self.organization;
        self.sessions.main.read(move |c| sql::get(c, organization, id)).await.unwrap().unwrap()
    }

    async fn renew(&self, held: &SessionLease) -> Result<()> {
        let request = RenewRequest { lease: held.lease.clone(), ..RenewRequest::default() };
        self.sessions.renew(&self.runner, held.id, request).await.map(drop)
    }
}

#[tokio::test]
async fn a_lost_runners_session_is_given_to_another_and_fails_the_third_time() {
    let world = World::new(Duration::ZERO).await;
    let id = world.start(&[], Timestamp::now()).await;
    for attempt in 1..=3 {
        let held = world.claim().await.unwrap();
        assert_eq!((held.id, world.get(id).await.attempts), (id, attempt));
        world.sessions.expire().await.unwrap();
        let refused = world.renew(&held).await.unwrap_err();
        assert!(matches!(refused, Error::Conflict(_)), "{refused:?}");
        let session = world.get(id).await;
        let expected = if attempt < 3 { SessionStatus::Suspended } else { SessionStatus::Failed };
        assert_eq!((session.status, session.runner_id.is_some()), (expected, attempt == 3));
    }
    assert!(world.claim().await.is_none());
    let session = world.get(id).await;
    assert_eq!(session.outcome, Some(Outcome::Failed));
    assert_eq!(session.reason.as_deref(), Some("the runner was lost three times"));
}

#[tokio::test]
async fn a_session_far_beyond_its_limit_is_taken_away_and_pauses_do_not_count() {
    let world = World::new(Duration::from_secs(1_000_000)).await;
    let id = world.start(&[], Timestamp::now()).await;
    let held = world.claim().await.unwrap();
    let start = Instant::now();
    let after = async |minutes: u64| {
        world.sessions.expire_at(start + Duration::from_mins(minutes)).await.unwrap();
        world.get(id).await.status
    };
    assert_eq!(after(70).await, SessionStatus::Running, "the agent's work may still be pushed");
    world.sessions.main.write(move |tx| sql::pause(tx, id, Timestamp::now())).await.unwrap();
    assert_eq!(after(1_000).await, SessionStatus::Paused);
    world.sessions.main.write(move |tx| sql::resume(tx, id, Timestamp::now())).await.unwrap();
    assert_eq!(after(1_004).await, SessionStatus::Running);
    assert_eq!(after(1_006).await, SessionStatus::Stopped);
    let session = world.get(id).await;
    assert_eq!(session.outcome, Some(Outcome::TimedOut));
    assert_eq!(session.reason.as_deref(), Some("its runner did not end it at its time limit"));
    assert!(matches!(world.renew(&held).await, Err(Error::Conflict(_))));
}

#[tokio::test]
async fn a_runner_that_calls_keeps_its_session() {
    let world = World::new(FOREVER).await;
    world.start(&[], Timestamp::now()).await;
    let held = world.claim().await.unwrap();
    world.sessions.expire().await.unwrap();
    world.renew(&held).await.unwrap();
    // After a restart nothing is known in memory: the lease begins again.
    let restarted = SessionService::new(&world.sessions.main, &Arc::default(), &nowhere(), FOREVER);
    restarted.expire().await.unwrap();
    let request = RenewRequest { lease: held.lease.clone(), ..RenewRequest::default() };
    restarted.renew(&world.runner, held.id, request).await.unwrap();
}

#[tokio::test]
async fn after_a_restart_a_runner_that_does_not_return_is_lost() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    world.claim().await.unwrap();
    let restarted = SessionService::new(&world.sessions.main, &Arc::default(), &nowhere(), Duration::ZERO);
    restarted.expire().await.unwrap();
    assert_eq!(world.get(id).await.status, SessionStatus::Running, "heard as it was found");
    restarted.expire().await.unwrap();
    assert_eq!(world.get(id).await.status, SessionStatus::Suspended);
}

#[tokio::test]
async fn a_stopped_session_is_not_given_to_another_runner() {
    let world = World::new(Duration::ZERO).await;
    let id = world.start(&[], Timestamp::now()).await;
    world.claim().await.unwrap();
    let (organization, stop) = (world.organization, SessionStatus::Stopped);
    let change = SessionChange { status: Some(stop), ..SessionChange::default() };
    let write = move |tx: &Transaction<'_>| super::change(tx, organization, id, &change, Timestamp::now());
    world.sessions.main.write(write).await.unwrap();
    world.sessions.expire().await.unwrap();
    let session = world.get(id).await;
    assert_eq!((session.status, session.outcome), (stop, Some(Outcome::Cancelled)));
    assert!(world.claim().await.is_none());
}

#[tokio::test]
async fn handing_back_does_not_count_as_a_loss() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    for _ in 0..5 {
        let held = world.claim().await.unwrap();
        let body = serde_json::json!({"lease": held.lease, "outcome": "handed_back"});
        let request: FinishRequest = serde_json::from_value(body).unwrap();
        assert_eq!(request.outcome, RunOutcome::HandedBack);
        world.sessions.finish(&world.runner, id, request).await.unwrap();
    }
    assert_eq!(world.get(id).await.status, SessionStatus::Suspended);
}

#[tokio::test]
async fn only_a_claim_that_no_runner_received_is_given_back() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    for _ in 0..5 {
        let held = world.claim().await.unwrap();
        world.sessions.unclaim(&held).await.unwrap();
        assert_eq!(world.get(id).await.status, SessionStatus::Suspended, "that is no loss");
    }
    // Another runner has it by now.
    let old = world.claim().await.unwrap();
    world.sessions.unclaim(&old).await.unwrap();
    let held = world.claim().await.unwrap();
    world.sessions.unclaim(&old).await.unwrap();
    assert_eq!(world.get(id).await.status, SessionStatus::Running);
    world.renew(&held).await.unwrap();
    // People have stopped it.
    let (organization, stop) = (world.organization, SessionStatus::Stopped);
    let change = SessionChange { status: Some(stop), ..SessionChange::default() };
    let write = move |tx: &Transaction<'_>| super::change(tx, organization, id, &change, Timestamp::now());
    world.sessions.main.write(write).await.unwrap();
    world.sessions.unclaim(&held).await.unwrap();
    let session = world.get(id).await;
    assert_eq!((session.status, session.outcome), (stop, Some(Outcome::Cancelled)));
    assert!(world.claim().await.is_none());
}

#[tokio::test]
async fn a_runner_that_hangs_up_is_given_nothing() {
    let world = World::new(FOREVER).await;
    let request: ClaimRequest = serde_json::from_str(r#"{"wait_seconds": 50}"#).unwrap();
    let gone = std::future::ready(());
    assert!(world.sessions.claim(&world.runner, &request, gone).await.unwrap().is_none());
}

#[tokio::test]
async fn old_sessions_are_removed_with_their_transcripts() {
    let world = World::new(FOREVER).await;
    let now = Timestamp::now();
    let (old, young, waiting) =
        (world.start(&[], now).await, world.start(&[], now).await, world.start(&[], now).await);
    let write = world.sessions.main.write(move |tx| {
        for (id, days) in [(old, 31), (young, 29)] {
            sql::end(
                tx,
                id,
                &sql::Ending::of(SessionStatus::Stopped, Outcome::Cancelled),
                now.plus(-days * DAY),
            )?;
        }
        // More than one transaction deletes.
        (0..4_500).try_for_each(|_| sql::output::note(tx, old, "x", now))?;
        let mut rounds = 0;
        assert_eq!(sql::count_ended(tx, now.plus(-30 * DAY))?, 1);
        while sql::remove_some(tx, now.plus(-30 * DAY))? {
            rounds += 1;
        }
        Ok((rounds, messages::list(tx, old, 0, 10)?.len()))
    });
    assert_eq!(write.await.unwrap(), (3, 0));
    let organization = world.organization;
    let read = world.sessions.main.read(move |c| {
        [old, young, waiting]
            .iter()
            .map(|id| Ok(sql::get(c, organization, *id)?.is_some()))
            .collect::<Result<Vec<_>>>()
    });
    assert_eq!(read.await.unwrap(), [false, true, true]);
}

#[tokio::test]
async fn a_session_whose_agent_no_runner_has_ends() {
    let world = World::new(FOREVER).await;
    let now = Timestamp::now();
    let id = world.start(&[], now.plus(-DAY)).await;
    for (agents, outcome) in [(r#"["agent"]"#, None), (r#"["other"]"#, Some(Outcome::NoRunner))] {
        let busy = format!(r#"{{"running": 1, "agents": {agents}}}"#);
        let busy: ClaimRequest = serde_json::from_str(&busy).unwrap();
        world.sessions.claim(&world.runner, &busy, std::future::pending()).await.unwrap();
        world.sessions.give_up(now).await.unwrap();
        assert_eq!(world.get(id).await.outcome, outcome, "{agents}");
    }
}

#[tokio::test]
async fn a_session_that_no_runner_can_isolate_or_count_ends() {
    for (of_session, refused, taken) in [
        ("is_public = 1", r#""refuses_public": true"#, r#""uncounted": ["tokens"]"#),
        (
            r#"caps = '{"tokens": 1000, "cost_usd": null}'"#,
            r#""uncounted": ["tokens"]"#,
            r#""uncounted": ["cost_usd"]"#,
        ),
    ] {
        let world = World::new(FOREVER).await;
        let now = Timestamp::now();
        let id = world.start(&[], now.plus(-DAY)).await;
        let update = format!("update sessions set {of_session}");
        world.sessions.main.write(move |tx| Ok(tx.execute(&update, [])?)).await.unwrap();
        for (said, outcome) in [(taken, None), (refused, Some(Outcome::NoRunner))] {
            let busy = format!(r#"{{"running": 1, {said}}}"#);
            let busy: ClaimRequest = serde_json::from_str(&busy).unwrap();
            world.sessions.claim(&world.runner, &busy, std::future::pending()).await.unwrap();
            world.sessions.give_up(now).await.unwrap();
            assert_eq!(world.get(id).await.outcome, outcome, "{of_session}: {said}");
        }
    }
}

#[tokio::test]
async fn a_session_that_no_runner_takes_within_a_day_ends() {
    let world = World::new(FOREVER).await;
    let now = Timestamp::now();
    let young = world.start(&[], now.plus(-DAY + HOUR)).await;
    let old = world.start(&[], now.plus(-DAY)).await;
    let special = world.start(&["gpu"], now.plus(-DAY)).await;
    world.sessions.give_up(now).await.unwrap();
    for id in [old, special] {
        let session = world.get(id).await;
        assert_eq!((session.status, session.outcome), (SessionStatus::Stopped, Some(Outcome::NoRunner)));
    }
    assert_eq!(world.get(young).await.status, SessionStatus::Starting);
}

#[tokio::test]
async fn a_session_that_a_busy_runner_could_take_keeps_waiting() {
    let world = World::new(FOREVER).await;
    let now = Timestamp::now();
    let special = world.start(&["gpu"], now.plus(-DAY)).await;
    let any = world.start(&[], now.plus(-DAY)).await;
    let busy: ClaimRequest = serde_json::from_str(r#"{"running": 1}"#).unwrap();
    assert!(world.sessions.claim(&world.runner, &busy, std::future::pending()).await.unwrap().is_none());
    world.sessions.give_up(now).await.unwrap();
    assert_eq!(world.get(any).await.status, SessionStatus::Starting);
    assert_eq!(world.get(special).await.outcome, Some(Outcome::NoRunner));
    // It has not been seen for too long.
    world.sessions.give_up(now.plus(2 * HOUR)).await.unwrap();
    assert_eq!(world.get(any).await.outcome, Some(Outcome::NoRunner));
}

#[tokio::test]
async fn a_session_that_is_put_off_too_often_fails_and_only_the_holder_of_its_lease_puts_it_off() {
    let world = World::new(FOREVER).await;
    let id = world.start(&[], Timestamp::now()).await;
    let mut held = world.claim().await.unwrap();
    let other = SessionLease { lease: "another".to_owned(), ..held.clone() };
    world.sessions.put_off(&other, "no").await.unwrap();
    assert_eq!(world.get(id).await.status, SessionStatus::Running);
    for count in 1.. {
        world.sessions.put_off(&held, "There is no gateway").await.unwrap();
        let session = world.get(id).await;
        assert_eq!(session.reason.as_deref(), Some("There is no gateway"));
        if session.status.has_ended() {
            assert_eq!((count, session.outcome), (13, Some(Outcome::Failed)));
            break;
        }
        assert!(world.claim().await.is_none(), "not at once");
        let runner = world.runner.clone();
        let later = Timestamp::now().plus(HOUR);
        let offer = Offer {
            runner: runner.id,
            labels: runner.labels.clone(),
            agents: Vec::new(),
            refuses_public: false,
            uncounted: Vec::new(),
        };
        let write = world
            .sessions
            .main
            .write(move |tx| sql::leases::claim(tx, runner.organization, (runner.id, &offer), later));
        held = write.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn sessions_are_numbered_from_one_within_their_organization_and_no_number_comes_again() {
    let world = World::new(FOREVER).await;
    let mut numbers = Vec::new();
    for _ in 0..3 {
        let id = world.start(&[], Timestamp::now()).await;
        numbers.push(world.get(id).await.number);
        let organization = world.organization;
        world.sessions.main.write(move |tx| sql::delete(tx, organization, id)).await.unwrap();
    }
    assert_eq!(numbers, [1, 2, 3]);
    let write = world.sessions.main.write(|tx| {
        let now = Timestamp::now();
        let other = organizations_sql::create(tx, "Other", now)?;
        let id = start(tx, &new_session(other), now)?;
        sql::get(tx, other, id)
    });
    assert_eq!(write.await.unwrap().unwrap().number, 1);
}
