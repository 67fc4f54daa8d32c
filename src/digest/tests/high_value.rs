use super::*;
use crate::projects::high_value::sql as high_value;
use crate::time::DAY;

fn set(bench: &Bench, settings: Value) {
    let change = move |tx: &Transaction<'_>| {
        let mut project = projects::sql::get(tx, PROJECT)?.unwrap();
        project.settings = project.settings.merged(&json!({ "high_value": settings }))?;
        projects::sql::update(tx, &project, Timestamp::now())
    };
    bench.main.write_blocking(change).unwrap();
}

fn digest(bench: &Bench, events: &[Value]) {
    events.iter().for_each(|event| bench.add(event));
    while bench.worker().step().unwrap() {}
}

/// The signals' issues and accounts, in order.
fn marked(bench: &Bench) -> Vec<(i64, String)> {
    let read = bench.main.readers.read_blocking(|c| {
        let mut rows = c.prepare(
            "select issue_id, payload ->> 'account' from signals where kind = 'issue.high_value' order by id",
        )?;
        let rows = rows.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<std::result::Result<Vec<_>, _>>()?)
    });
    read.unwrap()
}

fn event(message: &str, account: Value) -> Value {
    json!({"message": message, "account": account})
}

#[test]
fn the_first_event_of_a_high_value_account_marks_the_issue_once() {
    let bench = bench();
    set(&bench, json!({"ids": ["7"], "patterns": ["acme*"]}));
    digest(&bench, &[event("a", json!({"id": "1"})), event("b", json!({"id": "7"}))]);
    assert_eq!(marked(&bench), [(2, "7".to_owned())]);
    // By its name, which is what people know.
    digest(&bench, &[event("a", json!({"id": "9", "name": "ACME Ltd"}))]);
    digest(&bench, &[event("a", json!({"id": "7"}))]);
    digest(&bench, &[event("b", json!({"id": "9", "name": "ACME Ltd"}))]);
    assert_eq!(marked(&bench), [(2, "7".to_owned()), (1, "ACME Ltd".to_owned())]);
    let issue =
        |c: &Connection| crate::issues::sql::get(c, PROJECT, crate::ids::IssueId(1), Timestamp::now());
    let issue = bench.main.readers.read_blocking(issue).unwrap().unwrap();
    assert_eq!(issue.high_value_account.as_deref(), Some("ACME Ltd"));
    assert!(issue.high_value_at.is_some());
    let kinds = "select count(*) from activity where kind = 'high_value'";
    assert_eq!(bench.count(kinds), 2);
}

#[test]
fn an_account_that_becomes_high_value_marks_the_issue_with_its_next_event() {
    let bench = bench();
    digest(&bench, &[event("a", json!({"id": "7"}))]);
    assert_eq!(marked(&bench), []);
    set(&bench, json!({"ids": ["7"]}));
    digest(&bench, &[event("a", json!({"id": "7"}))]);
    assert_eq!(marked(&bench).len(), 1);
}

#[test]
fn a_tag_can_name_the_account() {
    let bench = bench();
    set(&bench, json!({"tags": [{"key": "plan", "value": "enterprise"}]}));
    let with = |message: &str, plan: &str| json!({"message": message, "tags": {"plan": plan}});
    digest(&bench, &[with("a", "free"), with("b", "enterprise")]);
    assert_eq!(marked(&bench), [(2, "plan: enterprise".to_owned())]);
}

#[test]
fn the_busiest_accounts_count_from_twenty_accounts_on() {
    let bench = bench();
    let now = Timestamp::now();
    let find = || bench.main.readers.read_blocking(|c| high_value::find_busiest(c, PROJECT, now)).unwrap();
    let events = |accounts: std::ops::Range<usize>| -> Vec<Value> {
        accounts
            .flat_map(|number| {
                vec![event("a", json!({"id": format!("{number:02}")})); if number < 12 { 2 } else { 1 }]
            })
            .collect()
    };
    digest(&bench, &events(0..19));
    assert_eq!(find(), Vec::<String>::new());
    digest(&bench, &events(19..20));
    let busiest = find();
    assert_eq!(busiest, (0..10).map(|number| format!("{number:02}")).collect::<Vec<_>>());
    // Events before the last 30 days do not count.
    let later = now.plus(31 * DAY);
    let none = bench.main.readers.read_blocking(|c| high_value::find_busiest(c, PROJECT, later)).unwrap();
    assert_eq!(none, Vec::<String>::new());
    bench.main.write_blocking(move |tx| high_value::store_busiest(tx, PROJECT, &busiest, now)).unwrap();
    digest(&bench, &[event("b", json!({"id": "11"})), event("c", json!({"id": "03"}))]);
    assert_eq!(marked(&bench), [(3, "03".to_owned())]);
    set(&bench, json!({"busiest": false}));
    digest(&bench, &[event("d", json!({"id": "03"}))]);
    assert_eq!(marked(&bench).len(), 1);
    bench.main.write_blocking(move |tx| high_value::store_busiest(tx, PROJECT, &[], later)).unwrap();
    assert_eq!(bench.count("select count(*) from account_days"), 0, "those days are forgotten");
}
