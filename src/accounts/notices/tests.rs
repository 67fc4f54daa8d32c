use super::*;
use crate::crypto::seal::Seal;
use crate::crypto::secret::Secret;
use crate::delivery::{Attempt, Parcel, Transport};
use crate::ids::UserId;
use crate::jobs::Registry;
use crate::metrics::Metrics;
use crate::signals::{self, NewSignal, Subscribers};
use crate::store::{Fatal, Main};
use serde_json::{Value, json};
use std::sync::Mutex;

/// Keeps what it is given.
#[derive(Default)]
struct Recorder(Mutex<Vec<(String, Value)>>);

impl Transport for Recorder {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        let mail = serde_json::from_slice(&parcel.payload).unwrap();
        self.0.lock().unwrap().push((parcel.target.clone(), mail));
        Box::pin(std::future::ready(Ok(())))
    }
}

/// The mails of these signals, in the order in which they were written.
async fn mails(with_mail: bool, signals: Vec<NewSignal>) -> Vec<(String, Value)> {
    let data = tempfile::tempdir().unwrap();
    let main = Main::open(data.path(), &Fatal::new().0).unwrap();
    let kept = Arc::new(Recorder::default());
    let way: (Channel, Arc<dyn Transport>) = (Channel::Mail, kept.clone());
    let ways = if with_mail { vec![way] } else { Vec::new() };
    let deliveries = Arc::new(Deliveries::new(ways, Seal::new(&Secret::new("key"))));
    let write = move |tx: &Transaction<'_>| {
        signals::sql::enter(tx, &[NAME])?;
        let at = Timestamp::parse("2026-11-21T10:00:00Z").unwrap();
        signals.iter().try_for_each(|signal| signals::sql::add(tx, signal, at))
    };
    main.write(write).await.unwrap();
    let mut jobs =
        signals::jobs::jobs(&main, &Subscribers::default(), vec![Arc::new(Notices::new(&deliveries))]);
    jobs.extend(crate::deliveries::jobs::jobs(&main, &deliveries));
    let registry = Registry::new(jobs, &Metrics::default().jobs).unwrap();
    registry.run(NAME).await.unwrap();
    registry.run("deliveries").await.unwrap();
    kept.0.lock().unwrap().clone()
}

fn signals_of_both_kinds() -> Vec<NewSignal> {
    let email = NewSignal::of_account(Kind::EmailChanged, UserId(1));
    let password = NewSignal::of_account(Kind::PasswordChanged, UserId(2));
    vec![
        email.with(json!({ "from": "ada@old.example", "to": "ada@new.example" })),
        NewSignal::of_account(Kind::IssueCreated, UserId(3)),
        password.with(json!({ "email": "bob@corp.example" })),
    ]
}

#[tokio::test]
async fn the_former_mailbox_is_told_what_was_changed_and_when() {
    let mut mails = mails(true, signals_of_both_kinds()).await;
    mails.sort_by(|a, b| a.0.cmp(&b.0));
    let [(ada, email), (bob, password)] = mails.try_into().unwrap();
    assert_eq!((ada.as_str(), bob.as_str()), ("ada@old.example", "bob@corp.example"));
    assert_eq!(email["subject"], "The address of your Mayday account was changed");
    let said = "The address of your account was changed to ada@new.example at 2026-11-21 10:00 UTC.";
    assert!(email["text"].as_str().unwrap().starts_with(said), "{email}");
    assert_eq!(password["subject"], "Your Mayday password was changed");
    let said = "The password was changed at 2026-11-21 10:00 UTC.";
    assert!(password["text"].as_str().unwrap().starts_with(said), "{password}");
}

#[tokio::test]
async fn without_mail_signals_are_skipped() {
    assert_eq!(mails(false, signals_of_both_kinds()).await, []);
}
