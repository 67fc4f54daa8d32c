//! The entries before and after an entry.

use super::{entry, messages, now, read, store, with};
use crate::support::{Project, Value, json};

fn id_of(project: &Project, message: &str) -> i64 {
    read(project, &format!("?search={message}"))["logs"][0]["id"].as_i64().unwrap()
}

fn shown(context: &Value) -> [Vec<String>; 2] {
    ["before", "after"].map(|side| messages(&json!({"logs": context[side]})))
}

#[test]
fn entries_before_and_after_are_ordered_by_time() {
    let project = Project::new();
    let logs: Vec<_> = (0..9).map(|number| entry(number * 10, &format!("n{number}"))).collect();
    // One at a time: neighbours lie in different segments of the index.
    for at in [4, 3, 5, 0, 8] {
        store(&project, &[logs[at].clone()]);
    }
    let rest: Vec<_> = [1, 2, 6, 7].iter().map(|at: &usize| logs[*at].clone()).collect();
    store(&project, &rest);
    let id = id_of(&project, "n4");
    let context = read(&project, &format!("/context?id={id}"));
    assert_eq!(context["entry"]["message"], "n4");
    assert_eq!(shown(&context), [vec!["n0", "n1", "n2", "n3"], vec!["n5", "n6", "n7", "n8"]]);
    for (before, after) in [(0, 0), (1, 1), (2, 3), (1, 0), (0, 2), (500, 500)] {
        let context = read(&project, &format!("/context?id={id}&before={before}&after={after}"));
        let [earlier, later] = shown(&context);
        assert_eq!(earlier, ["n0", "n1", "n2", "n3"][4 - before.min(4)..]);
        assert_eq!(later, ["n5", "n6", "n7", "n8"][..after.min(4)]);
    }
    let ends = |message: &str| {
        shown(&read(&project, &format!("/context?id={}&before=2&after=2", id_of(&project, message))))
    };
    assert_eq!(ends("n0"), [vec![], vec!["n1", "n2"]]);
    assert_eq!(ends("n8"), [vec!["n6", "n7"], vec![]]);
}

#[test]
fn it_may_be_narrowed_and_never_leaves_the_project() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let of = |at: i64, message: &str, logger: &str| with(entry(at, message), &json!({"logger_name": logger}));
    store(
        &project,
        &[of(0, "n0", "db"), of(1, "n1", "web"), of(2, "n2", "db"), of(3, "n3", "web"), of(4, "n4", "db")],
    );
    store(&other, &[of(1, "theirs", "db"), of(3, "theirs", "db")]);
    let id = id_of(&project, "n2");
    let narrowed = read(&project, &format!("/context?id={id}&search=logger:db"));
    assert_eq!(shown(&narrowed), [vec!["n0"], vec!["n4"]]);
    // The entry itself is shown whether or not it fits.
    let narrowed = read(&project, &format!("/context?id={id}&search=logger:web"));
    assert_eq!(
        (shown(&narrowed), &narrowed["entry"]["message"]),
        ([vec!["n1".into()], vec!["n3".into()]], &json!("n2"))
    );
    let path = other.path(&format!("/logs/context?id={id}"));
    other.owner.get(&path).send().refuse(404, "");
}

#[test]
fn an_id_beyond_the_entries_of_a_batch_is_unknown() {
    let project = Project::new();
    store(&project, &[entry(0, "first"), entry(1, "second")]);
    let first = id_of(&project, "first");
    for id in [first + 2, first + 64, first + 125, first + 1_000_000, i64::MAX] {
        let path = project.path(&format!("/logs/context?id={id}"));
        project.owner.get(&path).send().refuse(404, "log entry");
    }
}

#[test]
fn of_one_moment_all_have_a_place() {
    let project = Project::new();
    let moment = now();
    let logs: Vec<_> =
        (0..40).map(|number| with(entry(0, &format!("n{number}")), &json!({"timestamp": moment}))).collect();
    store(&project, &logs[..20]);
    store(&project, &logs[20..]);
    let id = id_of(&project, "n20");
    let [before, after] = shown(&read(&project, &format!("/context?id={id}&before=3&after=3")));
    assert_eq!(
        (before, after),
        (vec!["n17".into(), "n18".into(), "n19".into()], vec!["n21".into(), "n22".into(), "n23".into()])
    );
}
