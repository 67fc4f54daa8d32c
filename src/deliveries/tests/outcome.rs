//! The outcomes of attempts, and how they are stored.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

impl World {
    /// Lets deliveries be added and read, but not changed.
    async fn read_only(&self, is_on: bool) {
        let statement = match is_on {
            true => {
                "create trigger refuse before update on deliveries begin select raise(abort, 'on purpose'); end"
            }
            false => "drop trigger refuse",
        };
        self.write(move |tx| Ok(tx.execute_batch(statement)?)).await;
    }
}

#[tokio::test]
async fn a_mail_whose_outcome_cannot_be_stored_at_first_is_sent_once() {
    let server = Smtp::start("250 fine");
    let world = World::started(&over_smtp(server.port));
    world.read_only(true).await;
    let id = world.add("bob@corp.example").await;
    world.until("the mail", async |_| server.mails().len() == 1).await;
    // Long enough for a first attempt to store it, which fails.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(world.status(id).await, "pending");
    world.read_only(false).await;
    world.until("the outcome", async |world| world.waiting().await.is_empty()).await;
    assert_eq!((world.left(id).await, server.mails().len()), (sent(), 1));
}

/// A transport that panics at its first parcel.
struct Panics(AtomicUsize);

impl Transport for Panics {
    fn send<'a>(&'a self, _: &'a Parcel) -> Attempt<'a> {
        Box::pin(async move {
            assert!(self.0.fetch_add(1, Ordering::Relaxed) > 0, "on purpose");
            Ok(())
        })
    }
}

#[tokio::test]
async fn a_panic_is_a_failed_attempt() {
    let mut world = World::by(Some(Arc::new(Panics(AtomicUsize::new(0)))));
    let id = world.add("bob@corp.example").await;
    world.start();
    // The second attempt may have been made already.
    world
        .until("the failed attempt", async |world| {
            world.waiting().await.first().is_none_or(|(attempts, ..)| *attempts >= 1)
        })
        .await;
    world.hurry().await;
    world.until("the second one", async |world| world.waiting().await.is_empty()).await;
    assert_eq!(world.status(id).await, "sent");
}
