use super::*;

#[test]
fn unreached_steps_are_marked() {
    let mut recorder = Recorder::new(&["one", "two", "three"]);
    assert_eq!(recorder.note("one", Ok::<_, String>(7), |n| format!("got {n}")), Ok(7));
    assert_eq!(recorder.note("two", Err::<u8, _>("broken"), |_| String::new()), Err("broken"));
    let report = recorder.report("sso");
    let seen: Vec<_> =
        report.steps.iter().map(|step| (step.name.as_str(), step.ok, step.detail.as_str())).collect();
    let expected = [("one", Some(true), "got 7"), ("two", Some(false), "broken"), ("three", None, "")];
    assert_eq!((report.ok, seen.as_slice()), (false, expected.as_slice()));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(serde_json::from_value::<Report>(json.clone()).unwrap(), report);
    assert!(json["steps"][2]["ok"].is_null() && json["steps"][0]["duration_ms"].is_u64(), "{json}");
}

#[test]
fn a_report_is_ok_if_no_step_failed() {
    let mut recorder = Recorder::new(&["one"]);
    recorder.set("one", true, "fine".to_owned());
    recorder.set("more", true, "fine".to_owned());
    let report = recorder.report("github");
    assert_eq!((report.ok, report.steps.len()), (true, 2));
}
