//! The weekly report.

use super::*;
use crate::notifications::sql::report;
use crate::time::{DAY, HOUR};

const REPORTS: &str = "weekly_reports";

impl House {
    fn reports(&self) -> Vec<(String, Value)> {
        self.runtime.block_on(self.jobs.run(REPORTS)).unwrap();
        self.mails()
    }

    fn due(&self, user: UserId) {
        self.write(move |tx| report::want(tx, user, Timestamp::now().plus(-1)));
    }
}

#[test]
fn a_report_is_sent_once_a_week_to_those_who_want_it() {
    let house = House::new();
    assert_eq!(house.reports(), Vec::new());
    let project = house.project;
    house.write(move |tx| {
        let now = Timestamp::now();
        for (number, events) in [(0, 1_200), (1, 5), (2, 1)] {
            let id = issue(tx, project)?;
            let seen = if number == 2 { now.plus(-8 * DAY) } else { now.plus(-HOUR) };
            tx.execute(
                "update issues set first_seen = ?2, event_count = ?3, title = 'Error: <b>' || id where id = ?1",
                (id.0, seen.millis(), events),
            )?;
        }
        let today = now.millis().div_euclid(DAY);
        for (day, count) in [(today, 1_300), (today - 8, 1_000), (today - 20, 7)] {
            tx.execute(
                "insert into event_days (project_id, day, count, bytes) values (?1, ?2, ?3, 0)",
                (project.0, day, count),
            )?;
        }
        Ok(())
    });
    house.due(EVE);
    let mails = house.reports();
    let [(to, mail)] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(to, "eve@corp.example");
    assert!(mail["subject"].as_str().unwrap().starts_with("Your week in Mayday: 20"), "{mail}");
    let text = mail["text"].as_str().unwrap();
    for part in [
        "Shop",
        "1,300 events (30 % more than the week before), 2 new issues, 0 regressed; 3 unresolved in all.",
        "SHOP-1: Error: <b>1 (1,200 events)",
        "SHOP-2: Error: <b>2 (5 events)",
        "https://app.example/projects/1/issues/1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("SHOP-3"), "it is older: {text}");
    assert!(mail["html"].as_str().unwrap().contains("Error: &lt;b&gt;1"), "{mail}");
    assert!(mail["unsubscribe"].as_str().unwrap().contains("token=3.report."), "{mail}");
    // Not again until the next week.
    assert_eq!(house.reports(), Vec::new());
    let next = house.main.readers.read_blocking(|c| report::next_at(c, EVE)).unwrap().unwrap();
    assert!(next > Timestamp::now() && next < Timestamp::now().plus(8 * DAY), "{next}");
}

#[test]
fn people_who_leave_are_disabled_or_unsubscribe_get_no_report() {
    let house = House::new();
    for user in [ADA, BOB, EVE] {
        house.due(user);
    }
    house.write(|tx| Ok(tx.execute("update users set disabled_at = 1 where id = ?1", [BOB.0])?));
    house.write(|tx| report::want_no_more(tx, EVE));
    let mails = house.reports();
    assert_eq!(mails.iter().map(|mail| mail.0.as_str()).collect::<Vec<_>>(), ["ada@corp.example"]);
    // A waiting report is withdrawn when its reader unsubscribes.
    house.write(|tx| report::postpone(tx, ADA, Timestamp::from_millis(1)));
    house.runtime.block_on(house.jobs.run(REPORTS)).unwrap();
    house.write(|tx| report::want_no_more(tx, ADA));
    assert_eq!(house.mails(), Vec::new());
}

#[test]
fn a_report_without_projects_says_so() {
    let house = House::new();
    house.write(|tx| Ok(tx.execute("update projects set deleted_at = 1", [])?));
    house.due(ADA);
    assert!(house.reports()[0].1["text"].as_str().unwrap().contains("You have no projects."));
}
