use super::channel::{Channel, GAP, KEPT, PendingChanges};
use super::{Changes, Hub, IDS_MAX, Watcher};
use crate::ids::{IssueId, KeyId, ProjectId, UserId};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MOMENT: Duration = Duration::from_millis(1);

fn issues(ids: std::ops::Range<i64>) -> Changes {
    Changes::of_issues(ids.map(IssueId))
}

fn event(issue: i64, id: &str) -> Changes {
    let mut changes = Changes::default();
    changes.add_event(IssueId(issue), id);
    changes
}

#[test]
fn the_first_change_is_sent_at_once_and_the_next_after_the_gap() {
    let start = Instant::now();
    let mut channel = Channel::new(start);
    assert_eq!(channel.take(0, start), PendingChanges::Nothing(None));
    channel.publish(&issues(1..2));
    assert_eq!(channel.take(0, start), PendingChanges::Changes(issues(1..2)));
    channel.publish(&issues(2..3));
    channel.publish(&issues(3..4));
    assert_eq!(channel.take(1, start + GAP - MOMENT), PendingChanges::Nothing(Some(start + GAP)));
    assert_eq!(channel.take(1, start + GAP), PendingChanges::Changes(issues(2..4)));
    assert_eq!((channel.position(), channel.take(2, start + GAP)), (2, PendingChanges::Nothing(None)));
}

#[test]
fn a_slow_watcher_gets_all_missed_changes_in_one_message() {
    let mut now = Instant::now();
    let mut channel = Channel::new(now);
    for number in 1..=5 {
        channel.publish(&event(number, &number.to_string()));
        channel.take(0, now);
        now += GAP;
    }
    let PendingChanges::Changes(missed) = channel.take(2, now) else { panic!("nothing") };
    let arrived = missed.events_arrived().unwrap();
    assert_eq!((arrived.count, arrived.latest.event_id.as_str()), (3, "5"));
    assert_eq!(missed.issues_changed().unwrap().ids, [IssueId(3), IssueId(4), IssueId(5)]);
}

#[test]
fn a_limited_number_of_messages_is_kept() {
    let mut now = Instant::now();
    let mut channel = Channel::new(now);
    let first = channel.id(0);
    for _ in 0..KEPT {
        channel.publish(&issues(1..2));
        channel.take(0, now);
        now += GAP;
    }
    assert_eq!(channel.find(&first), Some(0));
    channel.publish(&issues(1..2));
    assert_eq!(channel.take(0, now), PendingChanges::Changes(Changes::unknown()));
    assert_eq!(channel.find(&first), None);
    assert_eq!(channel.find(&channel.id(1)), Some(1));
    assert_eq!(channel.find(&channel.id(KEPT as u64 + 1)), Some(KEPT as u64 + 1));
    assert_eq!(channel.find(&channel.id(KEPT as u64 + 2)), None);
    assert_eq!(channel.find(&Channel::new(now).id(1)), None);
    // Messages that name many issues count for more.
    for _ in 0..KEPT {
        channel.publish(&issues(0..IDS_MAX as i64));
        channel.take(0, now);
        now += GAP;
    }
    let newest = channel.position();
    assert_eq!(channel.find(&channel.id(newest - 40)), Some(newest - 40));
    assert_eq!(channel.find(&channel.id(newest - 41)), None);
}

#[test]
fn a_message_names_a_limited_number_of_issues_and_says_there_are_more() {
    let most = IDS_MAX as i64;
    let mut changes = issues(0..most);
    changes.add(&issues(5..10));
    assert_eq!(
        changes.issues_changed().map(|issues| (issues.ids.len(), issues.more)),
        Some((IDS_MAX, false))
    );
    changes.add(&event(most, "e"));
    changes.add(&issues(0..1));
    assert_eq!(changes.issues_changed().map(|issues| (issues.ids.len(), issues.more)), Some((IDS_MAX, true)));
    assert_eq!(changes.events_arrived().unwrap().latest.event_id, "e");
    assert_eq!((Changes::default().issues_changed(), Changes::default().events_arrived()), (None, None));
}

#[test]
fn projects_that_nobody_watches_are_forgotten() {
    let hub = Arc::new(Hub::default());
    hub.publish(ProjectId(1), &issues(1..2));
    assert_eq!(hub.kept(), 0);
    for project in 0..200 {
        drop(hub.subscribe(ProjectId(project), Watcher::Person(UserId(1)), None).unwrap());
    }
    assert!(hub.kept() <= 65, "{}", hub.kept());
    // The last one to be left is still remembered.
    hub.publish(ProjectId(199), &issues(1..2));
    let kept = hub.subscribe(ProjectId(199), Watcher::Person(UserId(1)), None).unwrap();
    let watched: Vec<_> =
        (0..31).map(|project| hub.subscribe(ProjectId(project), Watcher::Person(UserId(1)), None)).collect();
    assert!(watched.iter().all(Result::is_ok));
    assert!(hub.subscribe(ProjectId(1), Watcher::Person(UserId(1)), None).is_err());
    drop((kept, watched));
    assert!(hub.subscribe(ProjectId(1), Watcher::Person(UserId(1)), None).is_ok());
}

#[tokio::test]
async fn a_person_is_woken_at_once_and_then_after_the_gap() {
    let hub = Arc::new(Hub::default());
    let mut watch = hub.watch_inbox(UserId(1)).unwrap();
    let before = Instant::now();
    watch.changed().await;
    hub.tell([UserId(1), UserId(2)]);
    hub.tell([UserId(1)]);
    // A caller that stops waiting misses nothing.
    if tokio::time::timeout(Duration::ZERO, watch.changed()).await.is_err() {
        watch.changed().await;
    }
    assert!(before.elapsed() >= GAP, "told before the gap was over");
    hub.tell([UserId(2)]);
    let nothing = tokio::time::timeout(GAP + MOMENT, watch.changed()).await;
    assert!(nothing.is_err(), "all of that was one, and the rest another's");
}

#[test]
fn a_person_counts_while_they_have_a_stream() {
    let hub = Arc::new(Hub::default());
    let mut all: Vec<_> = (0..super::STREAMS_EACH_MAX).map(|_| hub.watch_inbox(UserId(1)).unwrap()).collect();
    assert!(hub.watch_inbox(UserId(1)).is_err());
    drop(hub.watch_inbox(UserId(2)).unwrap());
    assert_eq!(hub.inboxes(), 1);
    all.pop();
    hub.watch_inbox(UserId(1)).unwrap();
    all.clear();
    assert_eq!(hub.inboxes(), 0);
}

#[test]
fn keys_leave_slots_to_people() {
    let hub = Arc::new(Hub::default());
    let key = |number: usize| Watcher::Key(KeyId(i64::try_from(number / super::STREAMS_EACH_MAX).unwrap()));
    let most = super::STREAMS_MAX - super::STREAMS_OF_PEOPLE;
    let mut all: Vec<_> = (0..most).map(|number| hub.place(key(number)).unwrap()).collect();
    assert!(
        hub.place(Watcher::Key(KeyId(99))).is_err() && hub.place(Watcher::OrganizationKey(KeyId(1))).is_err()
    );
    let person = |number: usize| Watcher::Person(UserId(i64::try_from(number).unwrap()));
    for number in 0..super::STREAMS_OF_PEOPLE / super::STREAMS_MANY {
        all.extend((0..super::STREAMS_MANY).map(|_| hub.place(person(number)).unwrap()));
        assert!(hub.place(person(number)).is_err(), "who has many leaves the rest to others");
    }
    assert!(hub.place(person(99)).is_err(), "all are taken");
    all.pop();
    hub.place(person(99)).unwrap();
}

#[tokio::test]
async fn a_stream_from_a_position_reports_later_changes() {
    let hub = Arc::new(Hub::default());
    let project = ProjectId(1);
    let position = hub.position(project);
    // Nobody watches yet.
    hub.publish(project, &issues(1..2));
    assert_eq!(hub.position(project), position, "what waits to be told has no position yet");
    let mut stream = hub.subscribe(project, Watcher::Person(UserId(1)), Some(&position)).unwrap();
    let told = stream.next().await;
    assert_eq!((told.changes, told.from), (issues(1..2), position));
    assert_eq!(hub.position(project), told.to);
    assert_ne!(hub.position(ProjectId(2)), told.to);
}

#[test]
fn positions_of_projects_are_limited_like_unwatched_projects() {
    let hub = Arc::new(Hub::default());
    let held = ProjectId(1);
    let stream = hub.subscribe(held, Watcher::Person(UserId(1)), None).unwrap();
    let known = hub.position(held);
    (2..1_000).for_each(|project| drop(hub.position(ProjectId(project))));
    assert!(hub.kept() <= 65, "{}", hub.kept());
    assert_eq!(hub.position(held), known, "one that is watched is kept");
    drop(stream);
}
