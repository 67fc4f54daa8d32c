use super::consumer::Consumer;
use super::*;
use crate::error::{Error, Result};
use crate::jobs::{Registry, Running};
use crate::metrics::Metrics;
use crate::store::{Fatal, Main, Transaction};
use std::sync::Arc;
use std::time::Duration;

/// Writes the signals it handles into its own table, as `<id> <text>`; it cannot handle those in `fails` and
/// `panics`.
#[derive(Clone)]
struct Scribe {
    name: &'static str,
    kinds: &'static [Kind],
}

const SCRIBE: Scribe = Scribe { name: "scribe", kinds: &[Kind::PasswordChanged] };

impl Consumer for Scribe {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kinds(&self) -> &'static [Kind] {
        self.kinds
    }

    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()> {
        let text = signal.text("email");
        tx.execute(
            "insert into taken (name, signal, text) values (?1, ?2, ?3)",
            (self.name, signal.id.0, text),
        )?;
        assert_ne!(text, "panics");
        if text == "fails" { Err(Error::internal("on purpose")) } else { Ok(()) }
    }
}

struct World {
    main: Main,
    subscribers: Arc<Subscribers>,
    _data: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let world = Self { main, subscribers: Arc::default(), _data: data };
        world
            .write(|tx| {
                tx.execute_batch("create table taken (name text, signal integer, text text)")?;
                sql::enter(tx, &[SCRIBE.name])
            })
            .await;
        world
    }

    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.main.write(write).await.unwrap()
    }

    async fn signal(&self, kind: Kind, text: &str) {
        self.signal_at(kind, text, Timestamp::now()).await;
    }

    async fn signal_at(&self, kind: Kind, text: &str, at: Timestamp) {
        let new = NewSignal::of_account(kind, UserId(1)).with(json!({ "email": text }));
        self.write(move |tx| sql::add(tx, &new, at)).await;
        self.subscribers.notify();
    }

    fn registry(&self, consumers: &[Scribe]) -> Registry {
        let consumers = consumers.iter().map(|consumer| Arc::new(consumer.clone()) as Arc<dyn Consumer>);
        let jobs = jobs::jobs(&self.main, &self.subscribers, consumers.collect());
        Registry::new(jobs, &Metrics::default().jobs).unwrap()
    }

    fn start(&self) -> Running {
        self.registry(&[SCRIBE]).start()
    }

    /// The signals that a consumer handled, in order.
    async fn taken(&self, name: &'static str) -> Vec<String> {
        let read = self.main.read(move |c| {
            let mut rows = c.prepare("select text from taken where name = ?1 order by rowid")?;
            let rows = rows.query_map([name], |row| row.get(0))?;
            Ok(rows.collect::<std::result::Result<_, _>>()?)
        });
        read.await.unwrap()
    }

    async fn takes(&self, wanted: &[&str]) {
        for _ in 0..4_000 {
            if self.taken(SCRIBE.name).await == wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{wanted:?} was not taken: {:?}", self.taken(SCRIBE.name).await);
    }

    async fn position(&self) -> i64 {
        self.main.read(|c| sql::position(c, SCRIBE.name)).await.unwrap().unwrap().0
    }

    async fn left(&self) -> i64 {
        let count = |c: &crate::store::Connection| {
            Ok(c.query_row("select count(*) from signals", (), |row| row.get(0))?)
        };
        self.main.read(count).await.unwrap()
    }

    async fn sweep(&self, now: Timestamp) {
        while self.write(move |tx| sql::sweep(tx, now)).await {}
    }
}

#[tokio::test]
async fn signals_are_handled_once_and_in_order_even_after_a_restart() {
    let world = World::new().await;
    for text in ["a", "b"] {
        world.signal(Kind::PasswordChanged, text).await;
    }
    let running = world.start();
    world.takes(&["a", "b"]).await;
    world.signal(Kind::PasswordChanged, "c").await;
    world.takes(&["a", "b", "c"]).await;
    running.stop().await;
    world.signal(Kind::PasswordChanged, "d").await;
    let _running = world.start();
    world.takes(&["a", "b", "c", "d"]).await;
    assert_eq!(world.position().await, 4);
}

#[tokio::test]
async fn more_than_a_batch_is_handled_in_order() {
    let world = World::new().await;
    let texts: Vec<String> = (0..250).map(|number| number.to_string()).collect();
    let adding = texts.clone();
    let add = move |tx: &Transaction<'_>| {
        adding.iter().try_for_each(|text| {
            let new = NewSignal::of_account(Kind::PasswordChanged, UserId(1)).with(json!({ "email": text }));
            sql::add(tx, &new, Timestamp::now())
        })
    };
    world.write(add).await;
    let _running = world.start();
    world.takes(&texts.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

#[tokio::test]
async fn a_failing_effect_is_rolled_back_and_skipped_and_blocks_nothing() {
    let world = World::new().await;
    for text in ["a", "fails", "b", "panics", "c"] {
        world.signal(Kind::PasswordChanged, text).await;
    }
    let _running = world.start();
    world.takes(&["a", "b", "c"]).await;
    world.signal(Kind::PasswordChanged, "d").await;
    world.takes(&["a", "b", "c", "d"]).await;
    assert_eq!(world.position().await, 6);
}

#[tokio::test]
async fn signals_of_other_kinds_are_skipped_and_the_sweep_stores_the_position() {
    let world = World::new().await;
    let old = Timestamp::now().plus(-KEPT - 1);
    let registry = world.registry(&[SCRIBE]);
    for text in ["a", "b", "c"] {
        world.signal_at(Kind::EmailChanged, text, old).await;
    }
    registry.run(SCRIBE.name).await.unwrap();
    assert_eq!(world.position().await, 0, "no write for what it does not take");
    registry.run("signals").await.unwrap();
    assert_eq!((world.position().await, world.left().await), (3, 0));
    world.signal(Kind::PasswordChanged, "d").await;
    registry.run(SCRIBE.name).await.unwrap();
    assert_eq!((world.taken(SCRIBE.name).await, world.position().await), (vec!["d".to_owned()], 4));
}

#[tokio::test]
async fn a_new_consumer_begins_with_the_next_signal_and_a_former_one_is_forgotten() {
    let world = World::new().await;
    world.signal(Kind::PasswordChanged, "before").await;
    let new = Scribe { name: "another", ..SCRIBE };
    world.write(|tx| sql::enter(tx, &["another"])).await;
    world.signal(Kind::PasswordChanged, "after").await;
    world.registry(&[new]).run("another").await.unwrap();
    assert_eq!(world.taken("another").await, ["after"]);
    let scribe = world.main.read(|c| sql::position(c, SCRIBE.name)).await.unwrap();
    assert_eq!(scribe, None);
    // A start in between changes nothing for existing consumers.
    world.write(|tx| sql::enter(tx, &["another"])).await;
    assert_eq!(world.main.read(|c| sql::position(c, "another")).await.unwrap(), Some(SignalId(2)));
}

#[tokio::test]
async fn a_consumer_without_a_position_is_an_error_and_handles_nothing() {
    let world = World::new().await;
    world.signal(Kind::PasswordChanged, "a").await;
    let stranger = Scribe { name: "stranger", ..SCRIBE };
    assert!(world.registry(&[stranger]).run("stranger").await.is_err());
    assert_eq!(world.taken("stranger").await, Vec::<String>::new());
}

#[tokio::test]
async fn signals_are_deleted_when_old_and_passed_by_every_consumer() {
    let world = World::new().await;
    let now = Timestamp::now();
    let old = now.plus(-KEPT - 1);
    world.signal_at(Kind::PasswordChanged, "old", old).await;
    world.signal_at(Kind::PasswordChanged, "young", now).await;
    world.sweep(now).await;
    assert_eq!(world.left().await, 2, "a consumer is still before them");
    world.registry(&[SCRIBE]).run(SCRIBE.name).await.unwrap();
    world.sweep(now).await;
    assert_eq!(world.left().await, 1, "the young one stays");
    let later = now.plus(KEPT + 1);
    world.sweep(later).await;
    assert_eq!(world.left().await, 0);
    // Ids continue, so that no new signal lies before a consumer's position.
    world.signal_at(Kind::PasswordChanged, "next", later).await;
    world.registry(&[SCRIBE]).run(SCRIBE.name).await.unwrap();
    assert_eq!(world.taken(SCRIBE.name).await, ["old", "young", "next"]);
}

#[tokio::test]
async fn signals_written_while_the_clock_was_ahead_do_not_keep_the_rest() {
    let world = World::new().await;
    let now = Timestamp::now();
    world.signal_at(Kind::PasswordChanged, "ahead", now.plus(3_650 * DAY)).await;
    world.signal_at(Kind::PasswordChanged, "old", now.plus(-KEPT - 1)).await;
    world.registry(&[SCRIBE]).run(SCRIBE.name).await.unwrap();
    world.sweep(now).await;
    assert_eq!(world.left().await, 0);
}

#[tokio::test]
async fn signals_of_a_rolled_back_transaction_are_not_handled() {
    let world = World::new().await;
    let undone = world.main.write(|tx| {
        sql::add(tx, &NewSignal::of_account(Kind::PasswordChanged, UserId(1)), Timestamp::now())?;
        Err::<(), _>(Error::conflict("on purpose"))
    });
    undone.await.unwrap_err();
    world.signal(Kind::PasswordChanged, "a").await;
    let _running = world.start();
    world.takes(&["a"]).await;
}

#[test]
fn every_kind_is_read_as_it_is_written() {
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.as_str()), Some(kind));
    }
    assert_eq!(Kind::parse("x"), None);
}
