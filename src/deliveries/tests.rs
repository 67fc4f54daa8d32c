//! From the row to the mailbox.

mod hours;
mod outcome;

use super::*;
use crate::config::MailConfig;
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::delivery::mail::tests::servers::{Http, Smtp};
use crate::delivery::mail::tests::{closed_port, over_api, over_smtp};
use crate::delivery::mail::{Kind, Mailer};
use crate::delivery::{Attempt, Failure, Parcel, Transport};
use crate::ids::DeliveryId;
use crate::jobs::{Registry, Running};
use crate::metrics::Metrics;
use crate::outbound::Client;
use crate::store::{Fatal, Main, Transaction};
use crate::time::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::Semaphore;

struct World {
    main: Main,
    deliveries: Arc<Deliveries>,
    running: Option<Running>,
    _data: TempDir,
}

impl World {
    fn new(config: Option<&MailConfig>) -> Self {
        let mailer = |config: &MailConfig| Arc::new(Mailer::new(config, &Client::new()).unwrap()) as _;
        Self::by(config.map(mailer))
    }

    fn by(way: Option<Arc<dyn Transport>>) -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let ways = way.into_iter().map(|way| (Channel::Mail, way)).collect();
        let deliveries = Arc::new(Deliveries::new(ways, Seal::new(&Secret::new("key"))));
        Self { main, deliveries, running: None, _data: data }
    }

    fn started(config: &MailConfig) -> Self {
        let mut world = Self::new(Some(config));
        world.start();
        world
    }

    fn start(&mut self) {
        let jobs = jobs::jobs(&self.main, &self.deliveries);
        self.running = Some(Registry::new(jobs, &Metrics::default().jobs).unwrap().start());
    }

    async fn stop(&mut self) {
        self.running.take().unwrap().stop().await;
    }

    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.main.write(write).await.unwrap()
    }

    /// A delivery whose row is kept.
    async fn add(&self, to: &str) -> DeliveryId {
        self.add_new(new(to).followed()).await
    }

    async fn add_new(&self, new: NewDelivery) -> DeliveryId {
        let deliveries = self.deliveries.clone();
        let id = self.write(move |tx| deliveries.add(tx, &new, Timestamp::now())).await;
        self.deliveries.wake();
        id
    }

    /// The pending deliveries: attempts, milliseconds until the next one, idempotency key.
    async fn waiting(&self) -> Vec<(u32, i64, String)> {
        let read = self.main.read(|c| {
            let mut rows = c.prepare(
                "select attempts, next_attempt_at, idempotency_key from deliveries where status = 'pending' order by id",
            )?;
            let now = Timestamp::now().millis();
            let rows =
                rows.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? - now, row.get(2)?)))?;
            Ok(rows.collect::<std::result::Result<_, _>>()?)
        });
        read.await.unwrap()
    }

    /// Status and last error of a remaining row, and whether it still has its payload.
    async fn left(&self, id: DeliveryId) -> Option<(String, Option<String>, bool)> {
        let read = self.main.read(move |c| {
            let mut rows =
                c.prepare("select status, last_answer, payload is not null from deliveries where id = ?1")?;
            let mut rows = rows.query_map([id.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            Ok(rows.next().transpose()?)
        });
        read.await.unwrap()
    }

    async fn status(&self, id: DeliveryId) -> String {
        self.left(id).await.expect("it is followed").0
    }

    /// Makes everything due now.
    async fn hurry(&self) {
        let update = "update deliveries set next_attempt_at = 0 where status = 'pending'";
        self.write(move |tx| Ok(tx.execute(update, [])?)).await;
        self.deliveries.wake();
    }

    async fn until(&self, what: &str, done: impl AsyncFn(&Self) -> bool) {
        for _ in 0..12_000 {
            if done(self).await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{what} did not come: {:?}", self.waiting().await);
    }
}

fn new(to: &str) -> NewDelivery {
    NewDelivery::mail(&Mail::new(Kind::Invitation, to, "Subject", "a link".into()).unwrap()).unwrap()
}

fn sent() -> Option<(String, Option<String>, bool)> {
    Some(("sent".to_owned(), None, false))
}

#[tokio::test]
async fn an_added_delivery_is_sent_and_its_row_says_so() {
    let server = Smtp::start("250 fine");
    let world = World::started(&over_smtp(server.port));
    let id = world.add("bob@corp.example").await;
    world.until("the mail", async |world| world.waiting().await.is_empty()).await;
    assert_eq!(world.left(id).await, sent());
    assert!(server.mails()[0].contains("a link"));
}

#[tokio::test]
async fn a_sent_delivery_that_nobody_follows_is_deleted() {
    let server = Smtp::start("250 fine");
    let world = World::started(&over_smtp(server.port));
    let id = world.add_new(new("bob@corp.example")).await;
    world.until("the mail", async |world| world.waiting().await.is_empty()).await;
    assert_eq!((world.left(id).await, server.mails().len()), (None, 1));
}

#[tokio::test]
async fn a_refused_mail_fails_and_its_row_says_why() {
    let server = Smtp::start("550 no such mailbox");
    let world = World::started(&over_smtp(server.port));
    let id = world.add("bob@corp.example").await;
    world.until("the end", async |world| world.waiting().await.is_empty()).await;
    let (status, answer, payload) = world.left(id).await.unwrap();
    assert!(status == "failed" && answer.unwrap().contains("no such mailbox") && !payload);
}

#[tokio::test]
async fn a_mail_waits_for_a_server_that_is_down_and_keeps_its_key() {
    let (closed, port) = closed_port();
    let mut world = World::started(&over_smtp(port));
    let id = world.add("bob@corp.example").await;
    world.until("a first attempt", async |world| world.waiting().await[0].0 >= 1).await;
    let (_, wait, key) = world.waiting().await.remove(0);
    let stuck = world.main.read(|c| sql::stuck(c, Channel::Mail)).await.unwrap();
    assert!(stuck.count == 1 && stuck.since.is_some() && stuck.answer.is_some(), "{stuck:?}");
    // The pauses themselves are tested in `waits_grow_to_an_hour`.
    assert!(wait <= 30_000, "{wait}");
    assert_eq!(world.status(id).await, "pending");
    // A restart in between changes nothing.
    world.stop().await;
    let server = Smtp::start_on(closed, "250 fine");
    world.start();
    world.hurry().await;
    world.until("the mail", async |world| world.waiting().await.is_empty()).await;
    let stuck = world.main.read(|c| sql::stuck(c, Channel::Mail)).await.unwrap();
    assert_eq!(stuck, StalledDeliveries::default());
    assert!(server.mails()[0].contains(&format!("Message-ID: <{key}@corp.example>")));
    assert_eq!(world.status(id).await, "sent");
}

#[tokio::test]
async fn a_mail_fails_after_the_last_attempt() {
    let world = World::started(&over_api(Http::start(500, "").port));
    let id = world.add("bob@corp.example").await;
    let last = Channel::Mail.attempts();
    // There may be several attempts between two checks.
    let mut seen = 0;
    while seen + 1 < last {
        world
            .until("an attempt", async |world| {
                world.waiting().await.first().is_none_or(|(attempts, ..)| *attempts > seen)
            })
            .await;
        let Some(attempts) = world.waiting().await.first().map(|(attempts, ..)| *attempts) else { break };
        seen = attempts;
        world.hurry().await;
    }
    assert!(seen + 1 >= last, "given up after {seen}");
    world.until("the end", async |world| world.waiting().await.is_empty()).await;
    let answer = Some("the mail API answered 500".to_owned());
    assert_eq!(world.left(id).await, Some(("failed".to_owned(), answer, false)));
}

#[test]
fn waits_grow_to_an_hour() {
    let waits: Vec<i64> = (1..8).map(|attempts| wait_after(attempts) / 1_000).collect();
    assert_eq!(waits, [10, 30, 90, 270, 810, 2_430, 3_600]);
    let of_mail: i64 = (1..Channel::Mail.attempts()).map(wait_after).sum();
    assert!((20 * HOUR..24 * HOUR).contains(&of_mail), "{of_mail}");
    assert_eq!(wait_after(u32::MAX), 3_600_000);
}

/// A slow transport that records how many parcels each target had at once.
struct Slow {
    open: Semaphore,
    under_way: Mutex<HashMap<String, usize>>,
    most: Mutex<HashMap<String, usize>>,
}

impl Slow {
    fn new() -> Arc<Self> {
        Arc::new(Self { open: Semaphore::new(0), under_way: Mutex::default(), most: Mutex::default() })
    }

    fn begun(&self) -> HashMap<String, usize> {
        self.under_way.lock().unwrap().clone()
    }

    fn begin(&self, target: &str) {
        let mut under_way = self.under_way.lock().unwrap();
        *under_way.entry(target.to_owned()).or_default() += 1;
        let mut most = self.most.lock().unwrap();
        for (name, now) in [(target, under_way[target]), ("all", under_way.values().sum())] {
            let before = most.entry(name.to_owned()).or_default();
            *before = now.max(*before);
        }
    }
}

impl Transport for Slow {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        Box::pin(async move {
            self.begin(&parcel.target);
            self.open.acquire().await.unwrap().forget();
            *self.under_way.lock().unwrap().get_mut(&parcel.target).unwrap() -= 1;
            Ok(())
        })
    }
}

#[tokio::test]
async fn a_slow_target_leaves_slots_to_others_within_the_limits() {
    let way = Slow::new();
    let mut world = World::by(Some(way.clone()));
    for to in ["ada@corp.example"; 5].into_iter().chain([
        "bob@corp.example",
        "eve@corp.example",
        "joe@corp.example",
    ]) {
        world.add(to).await;
    }
    world.start();
    let begun = [("ada@corp.example", 2), ("bob@corp.example", 1), ("eve@corp.example", 1)];
    let begun: HashMap<String, usize> = begun.map(|(to, count)| (to.to_owned(), count)).into();
    world.until("four parcels", async |_| way.begun() == begun).await;
    way.open.add_permits(8);
    world.until("all parcels", async |world| world.waiting().await.is_empty()).await;
    let most = way.most.lock().unwrap();
    assert_eq!((most["all"], most["ada@corp.example"]), (4, 2));
}

#[tokio::test]
async fn payloads_are_sealed_and_bound_to_their_row() {
    let world = World::new(None);
    world.add("ada@corp.example").await;
    world.add("bob@corp.example").await;
    let swap = "update deliveries set payload = o.payload from deliveries o where o.id != deliveries.id";
    let read = |world: &World| {
        let (main, deliveries) = (world.main.clone(), world.deliveries.clone());
        async move {
            let open = vec![Channel::Mail];
            let first = sql::Busy { open: open.clone(), ..Default::default() };
            let second = sql::Busy { open, ids: vec![DeliveryId(1)], ..Default::default() };
            let read = main.read(move |c| {
                let now = Timestamp::now();
                Ok([sql::next(c, now, &first)?.unwrap(), sql::next(c, now, &second)?.unwrap()])
            });
            let both = read.await.unwrap();
            let sealed = both[0].sealed.clone();
            (sealed, both.map(|waiting| deliveries.open(waiting).map(|parcel| parcel.payload)))
        }
    };
    let (sealed, opened) = read(&world).await;
    assert!(!sealed.windows(4).any(|window| window == b"link"));
    assert!(opened.into_iter().all(|payload| payload.unwrap() == new("x@corp.example").payload));
    world.write(move |tx| Ok(tx.execute(swap, [])?)).await;
    let (_, opened) = read(&world).await;
    assert!(opened.into_iter().all(|payload| payload.is_err()));
}

#[tokio::test]
async fn a_mail_that_cannot_be_opened_fails() {
    let server = Smtp::start("250 fine");
    let mut world = World::new(Some(&over_smtp(server.port)));
    let id = world.add("bob@corp.example").await;
    world.write(|tx| Ok(tx.execute("update deliveries set payload = x'00'", [])?)).await;
    world.start();
    world.until("the end", async |world| world.waiting().await.is_empty()).await;
    assert!(world.status(id).await == "failed" && server.mails().is_empty());
}

#[tokio::test]
async fn a_delivery_for_an_unconfigured_channel_waits() {
    let mut world = World::new(None);
    let id = world.add("bob@corp.example").await;
    world.start();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(world.left(id).await, Some(("pending".to_owned(), None, true)));
    assert_eq!(world.waiting().await[0].0, 0);
}

#[tokio::test]
async fn a_withdrawn_or_removed_delivery_is_not_sent_and_stays_so() {
    let world = World::new(None);
    let (withdrawn, removed) = (world.add("bob@corp.example").await, world.add("bob@corp.example").await);
    world.write(move |tx| sql::end(tx, withdrawn, Status::Withdrawn, None)).await;
    world.write(move |tx| sql::remove(tx, removed)).await;
    assert!(world.waiting().await.is_empty());
    for id in [withdrawn, removed] {
        let failure = Failure::permanent("x");
        world.write(move |tx| service::failed(tx, id, &failure, Timestamp::now())).await;
        world.write(move |tx| service::sent(tx, id)).await;
    }
    assert_eq!(world.left(withdrawn).await, Some(("withdrawn".to_owned(), None, false)));
    assert_eq!(world.left(removed).await, None);
}

#[tokio::test]
async fn stopping_starts_nothing_and_does_not_wait_for_a_hanging_target() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut world = World::started(&over_smtp(silent.local_addr().unwrap().port()));
    world.add("ada@corp.example").await;
    let (_held, _) = tokio::task::spawn_blocking(move || silent.accept()).await.unwrap().unwrap();
    world.stop().await;
    assert_eq!(world.waiting().await[0].0, 0, "it goes again after the restart");
}

#[tokio::test]
async fn stopping_waits_for_a_mail_in_flight_and_stores_its_outcome() {
    let server = Smtp::slow(Duration::from_millis(200));
    let mut world = World::started(&over_smtp(server.port));
    let id = world.add("bob@corp.example").await;
    world.until("the mail", async |_| server.mails().len() == 1).await;
    world.add("ada@corp.example").await;
    let start = Instant::now();
    world.stop().await;
    // On a busy machine the mail may take longer than a stop waits.
    if start.elapsed() < Duration::from_millis(1_900) {
        assert_eq!(world.status(id).await, "sent");
    }
    assert!(world.waiting().await.iter().all(|(attempts, ..)| *attempts == 0));
}

#[test]
fn stored_states_are_read_as_written() {
    assert_eq!(Channel::parse(Channel::Mail.as_str()), Some(Channel::Mail));
    for status in [Status::Pending, Status::Sent, Status::Failed, Status::Withdrawn] {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
}
