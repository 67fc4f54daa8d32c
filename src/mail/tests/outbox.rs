//! From the row to the mailbox.

use super::*;
use crate::jobs::outbox::{self, Sending};
use crate::store::{Fatal, Main, Transaction};
use std::sync::Arc;
use tempfile::TempDir;

struct World {
    main: Main,
    outbox: Arc<Outbox>,
    sending: Option<Sending>,
    _data: TempDir,
}

impl World {
    async fn new(config: Option<&MailConfig>) -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let insert =
            "insert into organizations (id, name, slug, created_at, updated_at) values (1, 'A', 'a', 0, 0);
             insert into invitations (id, organization_id, email, role, nonce, token_hash, mailed_hash, delivery_status,
                 created_at, expires_at)
             values (7, 1, 'bob@corp.example', 'member', x'00', x'00', x'00', 'pending', 0, 0)";
        main.write(move |tx| Ok(tx.execute_batch(insert)?)).await.unwrap();
        let outbox = Arc::new(Outbox::new(config, &Client::new(), Seal::new(&Secret::new("key"))).unwrap());
        Self { main, outbox, sending: None, _data: data }
    }

    async fn started(config: &MailConfig) -> Self {
        let mut world = Self::new(Some(config)).await;
        world.start();
        world
    }

    fn start(&mut self) {
        self.sending = Some(outbox::start(self.main.clone(), self.outbox.clone()));
    }

    async fn stop(&mut self) {
        self.sending.take().unwrap().stop().await;
    }

    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.main.write(write).await.unwrap()
    }

    async fn add(&self, to: &str, invitation: Option<i64>) {
        let mut mail = Mail::new(Kind::Invitation, to, "Subject", "a link".into()).unwrap();
        mail.invitation = invitation.map(InvitationId);
        let seal = self.outbox.seal.clone();
        self.write(move |tx| sql::add(tx, &seal, &mail, Timestamp::now())).await;
        self.outbox.wake();
    }

    /// Each waiting mail: attempts, milliseconds until the next one, idempotency key.
    async fn waiting(&self) -> Vec<(u32, i64, String)> {
        let read = self.main.read(|c| {
            let mut rows =
                c.prepare("select attempts, next_attempt_at, idempotency_key from outbox order by id")?;
            let now = Timestamp::now().millis();
            let rows =
                rows.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? - now, row.get(2)?)))?;
            Ok(rows.collect::<std::result::Result<_, _>>()?)
        });
        read.await.unwrap()
    }

    async fn delivery(&self) -> (String, Option<String>) {
        let read = self.main.read(|c| {
            let select = "select delivery_status, delivery_error from invitations where id = 7";
            Ok(c.query_row(select, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
        });
        read.await.unwrap()
    }

    /// Makes everything due now.
    async fn hurry(&self) {
        self.write(|tx| Ok(tx.execute("update outbox set next_attempt_at = 0", [])?)).await;
        self.outbox.wake();
    }

    async fn until(&self, what: &str, done: impl AsyncFn(&Self) -> bool) {
        for _ in 0..4_000 {
            if done(self).await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{what} did not come: {:?}", self.waiting().await);
    }
}

#[tokio::test]
async fn what_is_added_is_sent_and_the_invitation_says_so() {
    let server = Smtp::start("250 fine");
    let world = World::started(&over_smtp(server.port)).await;
    world.add("bob@corp.example", Some(7)).await;
    world.until("the mail", async |world| world.waiting().await.is_empty()).await;
    assert_eq!(world.delivery().await, ("sent".into(), None));
    assert!(server.mails()[0].contains("a link"));
}

#[tokio::test]
async fn a_refused_mail_is_given_up_and_the_invitation_says_why() {
    let server = Smtp::start("550 no such mailbox");
    let world = World::started(&over_smtp(server.port)).await;
    world.add("bob@corp.example", Some(7)).await;
    world.until("the end", async |world| world.waiting().await.is_empty()).await;
    let (status, error) = world.delivery().await;
    assert!(status == "failed" && error.unwrap().contains("no such mailbox"));
}

#[tokio::test]
async fn a_mail_for_a_server_that_is_down_goes_when_it_is_back_under_the_same_key() {
    let port = free_port();
    let mut world = World::started(&over_smtp(port)).await;
    world.add("bob@corp.example", Some(7)).await;
    world.until("a first attempt", async |world| world.waiting().await[0].0 == 1).await;
    let (_, wait, key) = world.waiting().await.remove(0);
    assert!((1..=10_000).contains(&wait), "{wait}");
    assert_eq!(world.delivery().await.0, "pending");
    // A restart in between changes nothing.
    world.stop().await;
    let server = Smtp::start_at(port, "250 fine");
    world.start();
    world.hurry().await;
    world.until("the mail", async |world| world.waiting().await.is_empty()).await;
    assert!(server.mails()[0].contains(&format!("Message-ID: <{key}@corp.example>")));
    assert_eq!(world.delivery().await, ("sent".into(), None));
}

#[tokio::test]
async fn after_eight_attempts_a_mail_is_given_up() {
    let world = World::started(&over_api(Http::start(500, "").port)).await;
    world.add("bob@corp.example", Some(7)).await;
    for attempt in 1..sql::ATTEMPTS {
        world.until("an attempt", async |world| world.waiting().await[0].0 == attempt).await;
        assert_eq!(world.delivery().await.0, "pending");
        world.hurry().await;
    }
    world.until("the end", async |world| world.waiting().await.is_empty()).await;
    assert_eq!(world.delivery().await, ("failed".into(), Some("the mail API answered 500".into())));
}

#[test]
fn waits_grow_to_an_hour() {
    let waits: Vec<i64> = (1..sql::ATTEMPTS).map(|attempts| sql::wait_after(attempts) / 1_000).collect();
    assert_eq!(waits, [10, 30, 90, 270, 810, 2_430, 3_600]);
    assert_eq!(sql::wait_after(u32::MAX), 3_600_000);
}

#[tokio::test]
async fn more_than_the_cap_waits_and_others_do_not() {
    let server = Smtp::start("250 fine");
    let world = World::new(Some(&over_smtp(server.port))).await;
    for _ in 0..PER_HOUR + 2 {
        world.add("ada@corp.example", None).await;
    }
    world.add("bob@corp.example", None).await;
    let _sending = outbox::start(world.main.clone(), world.outbox.clone());
    world
        .until("61 mails", async |world| {
            world.waiting().await.len() == 2 && server.mails().len() == PER_HOUR + 1
        })
        .await;
    for (attempts, wait, _) in world.waiting().await {
        assert!(attempts == 0 && wait > 3_000_000, "{wait}");
    }
    assert_eq!(server.mails().iter().filter(|mail| mail.contains("To: bob@")).count(), 1);
}

#[tokio::test]
async fn texts_lie_sealed_and_do_not_open_in_another_row() {
    let world = World::new(None).await;
    world.add("ada@corp.example", None).await;
    world.add("bob@corp.example", None).await;
    let swap = "update outbox set body = o.body from outbox o where o.id != outbox.id";
    let read = world.main.read(|c| {
        let bodies: Vec<u8> = c.query_row("select body from outbox limit 1", [], |row| row.get(0))?;
        Ok((bodies, sql::due(c, Timestamp::now(), 9)?))
    });
    let (body, due) = read.await.unwrap();
    assert!(!body.windows(4).any(|window| window == b"link"));
    assert!(due.into_iter().all(|waiting| waiting.open(&world.outbox.seal).unwrap().text == "a link"));
    world.write(move |tx| Ok(tx.execute(swap, [])?)).await;
    let due = world.main.read(|c| sql::due(c, Timestamp::now(), 9)).await.unwrap();
    assert!(due.len() == 2 && due.into_iter().all(|waiting| waiting.open(&world.outbox.seal).is_err()));
}

#[tokio::test]
async fn a_mail_that_cannot_be_opened_is_given_up() {
    let server = Smtp::start("250 fine");
    let world = World::new(Some(&over_smtp(server.port))).await;
    world.add("bob@corp.example", Some(7)).await;
    world.write(|tx| Ok(tx.execute("update outbox set body = x'00'", [])?)).await;
    let _sending = outbox::start(world.main.clone(), world.outbox.clone());
    world.until("the end", async |world| world.waiting().await.is_empty()).await;
    assert!(world.delivery().await.0 == "failed" && server.mails().is_empty());
}

#[tokio::test]
async fn a_new_mail_about_an_invitation_takes_the_place_of_the_old_and_a_withdrawn_one_never_goes() {
    let world = World::new(None).await;
    world.add("bob@corp.example", Some(7)).await;
    let key = world.waiting().await.remove(0).2;
    world.add("bob@corp.example", Some(7)).await;
    let waiting = world.waiting().await;
    assert!(waiting.len() == 1 && waiting[0].2 != key);
    world.write(|tx| sql::withdraw(tx, InvitationId(7))).await;
    assert!(world.waiting().await.is_empty());
    // What is said of it afterwards changes nothing.
    let failure = Failure { permanent: true, text: "x".into() };
    world.write(move |tx| sql::failed(tx, 1, &failure, Timestamp::now())).await;
    assert_eq!(world.delivery().await.0, "pending");
}

#[tokio::test]
async fn stopping_begins_nothing_and_waits_for_nobody_who_hangs() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut world = World::started(&over_smtp(silent.local_addr().unwrap().port())).await;
    world.add("ada@corp.example", None).await;
    let (_held, _) = tokio::task::spawn_blocking(move || silent.accept()).await.unwrap().unwrap();
    world.stop().await;
    assert_eq!(world.waiting().await[0].0, 0, "it goes again after the restart");
}

#[tokio::test]
async fn stopping_waits_for_a_mail_under_way_and_remembers_that_it_went() {
    let server = Smtp::slow(Duration::from_millis(200));
    let mut world = World::started(&over_smtp(server.port)).await;
    world.add("bob@corp.example", Some(7)).await;
    world.until("the mail", async |_| server.mails().len() == 1).await;
    world.add("ada@corp.example", None).await;
    world.stop().await;
    assert_eq!(world.delivery().await.0, "sent");
    assert!(world.waiting().await.iter().all(|(attempts, ..)| *attempts == 0));
}
