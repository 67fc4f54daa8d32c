//! Events with a facet value, as the digest stored them.

use super::*;
use crate::events::sql::{EventPage, EventPosition, list_with_facet, place};
use crate::ids::IssueId;
use crate::issues::{self, Facet};

const ISSUE: IssueId = IssueId(1);

/// One page of the events with `tag.k:v`.
fn page(bench: &Bench, before: Option<&str>, limit: i64, examined_max: i64) -> (Vec<String>, Option<String>) {
    let EventPage { events, next } = bench
        .main
        .readers
        .read_blocking(|c| {
            let before: Option<EventPosition> =
                before.and_then(|id| place(c, PROJECT, ISSUE, Some(id)).unwrap());
            let (wanted, _) = issues::sql::facet_filter(c, PROJECT, ISSUE, Facet::parse("tag.k:v")?)?
                .expect("it is counted");
            list_with_facet(c, ISSUE, &wanted, before.as_ref(), limit, examined_max)
        })
        .unwrap();
    (events.into_iter().map(|event| event.event_id).collect(), next)
}

/// Events `00` (the newest) to `29`, a second apart; those with these numbers have the value.
fn with(carrying: &[i64]) -> Bench {
    let bench = bench();
    for number in 0..30 {
        let time = Timestamp::now().plus(-1_000 * number).to_string();
        let value = if carrying.contains(&number) { "v" } else { "w" };
        bench.add(&json!({"event_id": format!("{number:02}"), "message": "x", "timestamp": time, "tags": {"k": value}}));
    }
    while bench.worker().step().unwrap() {}
    bench
}

#[test]
fn a_page_examines_a_limited_number_of_events() {
    let bench = with(&[1, 25]);
    assert_eq!(page(&bench, None, 5, 10), (vec!["01".to_owned()], Some("10".to_owned())));
    assert_eq!(page(&bench, Some("10"), 5, 10), (Vec::new(), Some("20".to_owned())));
    assert_eq!(page(&bench, Some("20"), 5, 10), (vec!["25".to_owned()], None));
}

#[test]
fn only_the_time_between_first_and_last_is_examined() {
    let bench = with(&[12, 14]);
    assert_eq!(page(&bench, None, 5, 3), (vec!["12".to_owned(), "14".to_owned()], None));
    assert_eq!(page(&bench, Some("20"), 5, 3), (Vec::new(), None));
}
