use super::*;
use crate::ids::{IssueId, ProjectId};
use crate::issues::{Change, Priority};
use crate::store::{Fatal, Main, Page};
use crate::time::HOUR;

const PROJECT: ProjectId = ProjectId(1);
const ISSUE: IssueId = IssueId(1);
const ADA: UserId = UserId(1);

fn person(user: UserId) -> Author {
    Author { user, by_token: false }
}

fn at(hour: i64) -> Timestamp {
    Timestamp::from_millis(hour * HOUR)
}

/// An issue, and a person who works on it.
fn main_in(dir: &std::path::Path) -> Main {
    let main = Main::open(dir, &Fatal::new().0).unwrap();
    let rows = "
        insert into users (id, email, name, created_at, updated_at) values (1, 'ada@example.com', 'Ada', 0, 0);
        insert into organizations (id, name, slug, created_at, updated_at) values (1, 'O', 'o', 0, 0);
        insert into memberships (organization_id, user_id, role, joined_at) values (1, 1, 'member', 0);
        insert into projects (id, organization_id, name, slug, settings, created_at, updated_at)
            values (1, 1, 'P', 'p', '{}', 0, 0);
        insert into issues (id, project_id, number, title, culprit, type, message, level, first_seen, last_seen,
            created_at, updated_at)
            values (1, 1, 1, '', '', '', '', 'error', 0, 0, 0, 0);";
    main.write_blocking(move |tx| Ok(tx.execute_batch(rows)?)).unwrap();
    main
}

fn list(main: &Main, limit: i64) -> (Vec<Activity>, i64) {
    let page = Page { limit, offset: 0 };
    main.readers.read_blocking(|c| sql::list(c, PROJECT, ISSUE, page)).unwrap().unwrap()
}

fn change(main: &Main, change: Change) {
    let write = move |tx: &crate::store::Transaction<'_>| {
        crate::issues::sql::change(tx, PROJECT, ISSUE, &change, Some(ADA), at(1))
    };
    assert!(main.write_blocking(write).unwrap());
}

#[test]
fn its_author_and_administrators_delete_a_comment() {
    let (bob, member, admin) = (UserId(2), Some(Role::Member), Some(Role::Admin));
    assert!(may_delete(Some(ADA), ADA, member));
    assert!(!may_delete(Some(ADA), bob, member));
    assert!(may_delete(Some(ADA), bob, admin));
    assert!(may_delete(Some(ADA), bob, Some(Role::Owner)));
    assert!(!may_delete(None, bob, member), "of a deleted account");
    assert!(may_delete(None, bob, admin));
    assert!(!may_delete(Some(ADA), ADA, None), "no member any more");
}

#[test]
fn an_issue_keeps_its_newest_entries_and_all_comments() {
    let dir = tempfile::tempdir().unwrap();
    let main = main_in(dir.path());
    main.write_blocking(|tx| {
        sql::comment(tx, PROJECT, ISSUE, person(ADA), "first", at(0))?;
        for number in 0..AUTOMATIC_MAX + 20 {
            let kind = if number % 2 == 0 { Kind::Regressed } else { Kind::Escalating };
            let new = New { data: json!({ "count": number }), ..New::automatic(kind) };
            sql::add(tx, ISSUE, &new, at(number))?;
        }
        for number in 0..CHANGES_MAX + 5 {
            let new =
                New { by: Some(ADA), data: json!({ "count": number }), ..New::automatic(Kind::Assigned) };
            sql::add(tx, ISSUE, &new, at(number))?;
        }
        Ok(())
    })
    .unwrap();
    let (all, total) = list(&main, 10_000);
    assert_eq!(total, AUTOMATIC_MAX + CHANGES_MAX + 2, "with the comment and the first event");
    let of = |wanted: &[Kind]| {
        let counts = all.iter().filter(|entry| wanted.contains(&entry.kind));
        counts.map(|entry| entry.data["count"].clone()).collect::<Vec<_>>()
    };
    let automatic = of(&[Kind::Regressed, Kind::Escalating]);
    assert_eq!((automatic.len() as i64, automatic.last()), (AUTOMATIC_MAX, Some(&json!(20))));
    assert_eq!(of(&[Kind::Assigned]).last(), Some(&json!(5)));
    assert_eq!(of(&[Kind::Comment]).len(), 1);
}

#[test]
fn an_issue_accepts_a_limited_number_of_comments() {
    let dir = tempfile::tempdir().unwrap();
    let main = main_in(dir.path());
    let comment = |count: i64| {
        main.write_blocking(move |tx| {
            (0..count).try_for_each(|_| sql::comment(tx, PROJECT, ISSUE, person(ADA), "x", at(0)).map(drop))
        })
    };
    comment(COMMENTS_MAX).unwrap();
    assert!(matches!(comment(1), Err(Error::Conflict(_))));
    assert_eq!(list(&main, 1).1, COMMENTS_MAX + 1);
}

#[test]
fn acts_of_a_deleted_account_stay_without_a_person() {
    let dir = tempfile::tempdir().unwrap();
    let main = main_in(dir.path());
    change(&main, Change { assignee: Some(Some(1)), ..Change::default() });
    let named = json!({"assignee": {"id": 1, "email": "ada@example.com", "name": "Ada"}});
    let (before, _) = list(&main, 1);
    assert_eq!((&before[0].data, before[0].user.as_ref().map(|user| user.id)), (&named, Some(ADA)));
    main.write_blocking(|tx| Ok(tx.execute("delete from users", ())?)).unwrap();
    let (after, _) = list(&main, 1);
    assert_eq!((after[0].kind, &after[0].data), (Kind::Assigned, &json!({"assignee": null})));
    assert!(after[0].user.is_none());
}

#[test]
fn a_priority_derived_from_the_level_is_set_once() {
    let dir = tempfile::tempdir().unwrap();
    let main = main_in(dir.path());
    for _ in 0..2 {
        change(&main, Change { priority: Some(Priority::High), ..Change::default() });
    }
    assert_eq!(list(&main, 10).1, 2);
}

#[test]
fn every_kind_is_read_as_written() {
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.as_str()), Some(kind));
        assert_eq!(json!(kind), json!(kind.as_str()));
    }
}

#[test]
fn activity_leaves_a_signal_except_comments_runs_and_tickets() {
    let dir = tempfile::tempdir().unwrap();
    let main = main_in(dir.path());
    let made: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| kind.signal().is_some()).collect();
    assert_eq!(made.len(), 10, "{made:?}");
    assert!(Kind::Comment.signal().is_none());
    for kind in made.clone() {
        let new = New { by: Some(ADA), data: json!({ "of": kind }), ..New::automatic(kind) };
        main.write_blocking(move |tx| sql::add(tx, ISSUE, &new, at(1))).unwrap();
    }
    main.write_blocking(|tx| sql::comment(tx, PROJECT, ISSUE, person(ADA), "x", at(0)).map(drop)).unwrap();
    let read = main.readers.read_blocking(|c| {
        let kinds: Vec<_> = made.iter().filter_map(|kind| kind.signal()).collect();
        let newest = signals::sql::newest(c)?;
        signals::sql::between(c, &kinds, (crate::ids::SignalId(0), newest), 100)
    });
    let read = read.unwrap();
    assert_eq!(read.len(), made.len());
    for (kind, signal) in made.iter().zip(read) {
        assert_eq!((Some(signal.kind), &signal.payload), (kind.signal(), &json!({ "of": kind })));
        let about = (signal.organization, signal.project, signal.issue, signal.actor, signal.at);
        assert_eq!(
            about,
            (Some(crate::ids::OrganizationId(1)), Some(PROJECT), Some(ISSUE), Some(ADA), at(1))
        );
    }
}
