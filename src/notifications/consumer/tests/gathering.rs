//! Many signals become one notice.

use super::*;

#[test]
fn five_signals_are_told_separately_and_the_sixth_combines_them() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 5, (start(), 1_000));
    let alone: Vec<String> = (1..=5).rev().map(|number| format!("New issue: Error: no {number}")).collect();
    assert_eq!(house.titles(EVE), alone);
    house.issues(Kind::IssueCreated, 1, (after(MINUTE), 0));
    assert_eq!(house.titles(EVE), ["6 new issues in Shop"]);
    house.issues(Kind::IssueCreated, 6, (after(2 * MINUTE), 1_000));
    for user in [ADA, BOB, EVE] {
        let [one] = &house.list(user)[..] else { panic!("{:?}", house.titles(user)) };
        assert_eq!(one.title, "12 new issues in Shop");
        assert_eq!(one.summary, "The newest is SHOP-12: Error: no 12");
        assert_eq!(one.notification_metadata["event_count"], 12);
        assert_eq!((one.source_type.as_str(), one.source_id), ("project", house.project.0));
        assert_eq!(house.unread(user), 1);
    }
}

#[test]
fn an_incident_is_one_notification_and_at_most_six_mails() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 1_000, (start(), 2_000));
    assert_eq!(house.titles(EVE), ["1000 new issues in Shop"]);
    let mails = house.mails();
    let of_eve: Vec<_> = mails.iter().filter(|(to, _)| to == "eve@corp.example").collect();
    assert_eq!(of_eve.len(), 6, "{of_eve:?}");
    assert!(of_eve.iter().any(|(_, mail)| mail["subject"] == "6 new issues in Shop"), "{of_eve:?}");
}

#[test]
fn few_signals_within_ten_minutes_stay_separate() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 20, (start(), GATHER_BY_FIVE));
    assert_eq!(house.titles(EVE).len(), 20);
}

/// An interval at which at most five come within ten minutes.
const GATHER_BY_FIVE: i64 = 2 * MINUTE;

#[test]
fn ten_quiet_minutes_end_an_incident() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 8, (start(), 1_000));
    house.issues(Kind::IssueCreated, 1, (after(9 * MINUTE), 0));
    house.issues(Kind::IssueCreated, 2, (after(30 * MINUTE), 1_000));
    assert_eq!(
        house.titles(EVE),
        ["New issue: Error: no 11", "New issue: Error: no 10", "9 new issues in Shop"]
    );
}

#[test]
fn kinds_and_projects_are_combined_separately() {
    let mut house = House::new();
    house.issues(Kind::IssueCreated, 6, (start(), 1_000));
    house.issues(Kind::IssueRegressed, 5, (start(), 1_000));
    let organization = house.organization;
    house.project = house.write(move |tx| {
        let settings = projects::Settings::default();
        let new = projects::sql::NewProject { organization, name: "Depot".into(), platform: None, settings };
        Ok(projects::sql::create(tx, &new, start())?.id)
    });
    house.issues(Kind::IssueCreated, 1, (start(), 0));
    let titles = house.titles(EVE);
    assert_eq!(titles.len(), 7, "{titles:?}");
    assert_eq!((titles[0].as_str(), titles[6].as_str()), ("New issue: Error: no 1", "6 new issues in Shop"));
}

#[test]
fn a_read_notification_returns_after_ten_minutes() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 6, (start(), 1_000));
    let id = house.list(EVE)[0].id;
    house.write(move |tx| inbox::read(tx, EVE, id, after(MINUTE)));
    house.issues(Kind::IssueCreated, 4, (after(2 * MINUTE), MINUTE));
    assert_eq!((house.titles(EVE), house.unread(EVE)), (vec!["10 new issues in Shop".to_owned()], 0));
    house.issues(Kind::IssueCreated, 1, (after(12 * MINUTE), 0));
    assert_eq!((house.titles(EVE), house.unread(EVE)), (vec!["11 new issues in Shop".to_owned()], 1));
}

#[test]
fn a_continuing_incident_is_mailed_hourly_and_moves_to_the_top() {
    let house = House::new();
    let subjects = || {
        let mails = house.mails().into_iter().filter(|(to, _)| to == "eve@corp.example");
        mails.map(|(_, mail)| mail["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    house.issues(Kind::IssueCreated, 6, (start(), 1_000));
    house.issues(Kind::IssueRegressed, 1, (after(2 * MINUTE), 1_000));
    assert_eq!(subjects().len(), 7);
    let id = house.list(EVE)[1].id;
    house.write(move |tx| inbox::read(tx, EVE, id, after(3 * MINUTE)));
    // One every five minutes, for two and a half hours.
    house.issues(Kind::IssueCreated, 30, (after(5 * MINUTE), 5 * MINUTE));
    let hourly = subjects();
    assert_eq!(hourly, ["19 new issues in Shop", "31 new issues in Shop"]);
    assert_eq!(house.titles(EVE)[0], "36 new issues in Shop");
    assert_eq!((house.titles(EVE).len(), house.unread(EVE)), (2, 2));
}

#[test]
fn people_who_join_or_leave_meanwhile_are_respected() {
    let house = House::new();
    house.wants(BOB, Category::Error, (false, false));
    house.issues(Kind::IssueCreated, 6, (start(), 1_000));
    assert_eq!(house.titles(BOB), Vec::<String>::new());
    house.wants(BOB, Category::Error, (true, false));
    let organization = house.organization;
    house.write(move |tx| {
        tx.execute(
            "update memberships set removed_at = 1 where organization_id = ?1 and user_id = ?2",
            [organization.0, EVE.0],
        )?;
        Ok(())
    });
    assert_eq!(house.titles(EVE), Vec::<String>::new(), "whoever leaves reads no more");
    house.issues(Kind::IssueCreated, 2, (after(6 * MINUTE), 5 * MINUTE));
    assert_eq!(house.titles(BOB), ["8 new issues in Shop"]);
    assert_eq!(house.titles(EVE), Vec::<String>::new());
}

#[test]
fn a_new_issue_of_a_high_value_account_is_one_notification_that_names_it() {
    let house = House::new();
    let project = house.project;
    house.write(move |tx| {
        for kinds in [&[Kind::IssueCreated, Kind::IssueHighValue][..], &[Kind::IssueHighValue]] {
            let issue = issue(tx, project)?;
            tx.execute("update issues set high_value_account = 'Acme Corp' where id = ?1", [issue.0])?;
            for kind in kinds {
                let payload = json!({ "account": "Acme Corp" });
                signals::sql::add_of_issue(tx, *kind, issue, None, &payload, start())?;
            }
        }
        Ok(())
    });
    house.runtime.block_on(house.jobs.run(NAME)).unwrap();
    let told: Vec<(String, String)> =
        house.list(EVE).into_iter().map(|one| (one.title, one.summary)).collect();
    let [later, new] = &told[..] else { panic!("{told:?}") };
    assert_eq!(new.0, "New issue: Error: no 1");
    assert!(new.1.ends_with("f in a.js; it affects Acme Corp"), "{new:?}");
    assert_eq!(later.0, "High-value account: Error: no 2");
    assert_eq!(house.mails().len(), 2 * 3, "as many mails");
}
