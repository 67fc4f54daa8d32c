//! The hourly limit of mails, and the digest of those beyond it.

use super::*;
use crate::notifications::{MAILS_EACH_HOUR, MAILS_WAITING_MAX};

const DIGESTS: &str = "mail_digests";

impl House {
    /// Makes announcements, of which Bob and Eve are notified.
    fn announces(&self, count: i64) {
        let signals = (0..count).map(|number| {
            let new =
                NewSignal::of_announcement(ADA, ("announcement", &format!("Notice {number}"), "", None));
            (new, after(number))
        });
        self.happens(signals.collect());
    }

    fn digests(&self) -> Result<()> {
        self.runtime.block_on(self.jobs.run(DIGESTS))
    }

    /// Lets an hour pass.
    fn hour_ends(&self) {
        self.write(|tx| {
            Ok(tx.execute_batch("update mail_hours set since = 0; update held_mails set due_at = 0")?)
        });
    }

    /// The numbers of mails waiting to be sent, and of those held until the end of the hour. (Deliveries have a
    /// separate hourly limit.)
    fn written(&self) -> (i64, i64) {
        let count = "select (select count(*) from deliveries), (select count(*) from held_mails)";
        self.write(move |tx| Ok(tx.query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?)))?))
    }

    /// The subjects of mails to somebody.
    fn subjects(&self, to: &str) -> Vec<String> {
        let mails = self.mails().into_iter().filter(|mail| mail.0.starts_with(to));
        mails.map(|(_, mail)| mail["subject"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn mails_beyond_the_hourly_limit_become_one_digest() {
    let house = House::new();
    house.announces(MAILS_EACH_HOUR + 3);
    let each = usize::try_from(MAILS_EACH_HOUR).unwrap();
    assert_eq!(house.mails().len(), 2 * each);
    house.digests().unwrap();
    assert_eq!(house.mails(), Vec::new(), "the hour is not over");
    house.hour_ends();
    house.digests().unwrap();
    let mails = house.mails();
    let [(bob, mail), (eve, _)] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!((bob.as_str(), eve.as_str()), ("bob@corp.example", "eve@corp.example"));
    assert_eq!(mail["subject"], "3 more notifications");
    for part in ["Notice 60", "Notice 61", "Notice 62", "https://app.example/account/notifications"] {
        for body in ["text", "html"] {
            assert!(mail[body].as_str().unwrap().contains(part), "{part}: {mail}");
        }
    }
    assert!(mail["unsubscribe"].as_str().unwrap().contains(".system."), "all are of one category: {mail}");
    house.digests().unwrap();
    assert_eq!(house.mails(), Vec::new(), "once");
    house.announces(1);
    assert_eq!(house.written(), (2, 0), "a new hour");
}

#[test]
fn while_no_mail_is_sent_a_limited_number_waits() {
    let house = House::new();
    for _ in 0..4 {
        house.announces(MAILS_EACH_HOUR);
        house.hour_ends();
    }
    let all = 4 * MAILS_EACH_HOUR;
    assert_eq!(
        house.written(),
        (2 * MAILS_WAITING_MAX, 2 * (all - MAILS_WAITING_MAX)),
        "for Bob and for Eve"
    );
    house.digests().unwrap();
    assert_eq!(house.written(), (2 * MAILS_WAITING_MAX + 2, 0));
}

#[test]
fn a_digest_that_fails_is_written_later_and_once() {
    let house = House::new();
    house.announces(MAILS_EACH_HOUR + 1);
    house.mails();
    house.hour_ends();
    let refuse =
        "create trigger refuse before insert on deliveries begin select raise(abort, 'on purpose'); end";
    house.write(move |tx| Ok(tx.execute_batch(refuse)?));
    house.digests().unwrap_err();
    house.write(|tx| Ok(tx.execute_batch("drop trigger refuse")?));
    house.digests().unwrap();
    house.digests().unwrap();
    assert_eq!(house.subjects("bob"), ["1 more notification"]);
}

#[test]
fn a_digest_has_only_what_its_reader_may_and_wants_to_read() {
    let house = House::new();
    house.announces(MAILS_EACH_HOUR + 1);
    house.issues(Kind::IssueCreated, 1, (start(), 0));
    house.mails();
    house.wants(BOB, Category::System, (true, false));
    house.write(|tx| Ok(tx.execute("update memberships set removed_at = 1 where user_id = 3", [])?));
    house.hour_ends();
    house.digests().unwrap();
    let mails = house.mails();
    let [(_, bobs), (_, eves)] = &mails[..] else { panic!("{mails:?}") };
    for (mail, has, not) in [(bobs, "New issue", "Notice"), (eves, "Notice", "New issue")] {
        let text = mail["text"].as_str().unwrap();
        assert!(text.contains(has) && !text.contains(not), "{text}");
    }
}

#[test]
fn a_long_digest_lists_fifty_and_counts_the_rest() {
    let house = House::new();
    house.announces(MAILS_EACH_HOUR + 52);
    house.mails();
    house.hour_ends();
    house.digests().unwrap();
    let mails = house.mails();
    let text = mails[0].1["text"].as_str().unwrap();
    assert_eq!(text.matches("- Notice ").count(), 50);
    assert!(text.contains("2 are not listed here"), "{text}");
}

#[test]
fn an_hour_that_began_in_the_future_is_over() {
    let house = House::new();
    house.announces(MAILS_EACH_HOUR + 1);
    house.mails();
    let ahead = "update mail_hours set since = since + 86400000;
         update held_mails set due_at = due_at + 86400000";
    house.write(move |tx| Ok(tx.execute_batch(ahead)?));
    house.digests().unwrap();
    assert_eq!(house.subjects("bob"), ["1 more notification"]);
    house.announces(1);
    assert_eq!(house.written(), (2, 0));
}

#[test]
fn waiting_mails_are_withdrawn_with_the_right_or_wish_to_read_them() {
    let house = House::new();
    let count = |house: &House| house.written().0;
    house.issues(Kind::IssueCreated, 2, (start(), 1));
    assert_eq!(count(&house), 6);
    // One person leaves, one is disabled, and one unsubscribes.
    let organization = house.organization;
    house.write(move |tx| {
        tx.execute(
            "update memberships set removed_at = 1 where organization_id = ?1 and user_id = ?2",
            [organization.0, EVE.0],
        )?;
        tx.execute("update users set disabled_at = 1 where id = ?1", [BOB.0])?;
        Ok(())
    });
    assert_eq!(count(&house), 2);
    house.wants(ADA, Category::Team, (true, false));
    assert_eq!(count(&house), 2, "another category");
    house.wants(ADA, Category::Error, (true, false));
    assert_eq!(count(&house), 0);
    assert_eq!(house.mails(), Vec::new());
}

#[test]
fn a_sent_mail_leaves_no_rows() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 1, (start(), 1));
    assert_eq!(house.mails().len(), 3);
    let left = house.write(|tx| {
        Ok(tx.query_row("select count(*) from notification_mails", [], |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(left, 0);
}
