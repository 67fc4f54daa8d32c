use super::*;

/// Kind and payload of each signal, in order.
fn signals(bench: &Bench) -> Vec<(String, Value)> {
    let read = bench.main.readers.read_blocking(|c| {
        let mut rows = c.prepare(
            "select kind, payload from signals where organization_id = 1 and project_id = 1 and issue_id = 1 order by id",
        )?;
        let rows = rows.query_map((), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        Ok(rows.collect::<std::result::Result<Vec<_>, _>>()?)
    });
    let parse = |(kind, payload): (String, String)| (kind, serde_json::from_str(&payload).unwrap());
    read.unwrap().into_iter().map(parse).collect()
}

#[test]
fn new_and_regressed_issues_leave_a_signal_and_other_events_none() {
    let bench = bench();
    for id in ["a", "b", "c"] {
        bench.add(&json!({"event_id": id, "exception": {"type": "E"}}));
    }
    let mut worker = bench.worker();
    let pending = bench.intake.after(0, 10, 1 << 20).unwrap();
    let last = pending.last().unwrap().position;
    // Twice, as after a crash.
    for _ in 0..2 {
        let outcomes = worker.prepare_all(pending.clone()).unwrap();
        worker.launch(outcomes, Reach::UpTo(last)).unwrap();
        worker.land().unwrap();
    }
    let created = ("issue.created".to_owned(), json!({"event_id": "a"}));
    assert_eq!(signals(&bench), std::slice::from_ref(&created));
    let resolve = "update issues set status = 'resolved', resolved_at = 0";
    bench.main.write_blocking(move |tx| Ok(tx.execute(resolve, ())?)).unwrap();
    bench.add(&json!({"event_id": "d", "release": "2", "exception": {"type": "E"}}));
    bench.add(&json!({"event_id": "e", "release": "2", "exception": {"type": "E"}}));
    assert!(bench.worker().step().unwrap());
    assert_eq!(
        signals(&bench),
        [created, ("issue.regressed".to_owned(), json!({"event_id": "d", "release": "2"}))]
    );
    assert_eq!(bench.count("select count(*) from signals"), 2);
}
