use super::*;
use crate::time::HOUR;

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(minute * MINUTE)
}

fn played(held: Vec<HeldPeriod>, quiet_minutes: i64) -> (Vec<i64>, usize) {
    let mut replay = Replay::new(quiet_minutes);
    replay.play(held);
    (replay.fired.iter().map(|(at, _)| at.millis() / MINUTE).collect(), replay.suppressed)
}

#[test]
fn a_rule_fires_again_after_its_quiet_time_while_its_condition_holds() {
    let one = Some(IssueId(1));
    assert_eq!(played(vec![(at(5), at(130), one)], 60), (vec![5, 65, 125], 0));
    assert_eq!(played(vec![(at(5), at(65), one)], 60), (vec![5], 0));
    assert_eq!(played(vec![(at(5), at(6), one), (at(30), at(70), one)], 60), (vec![5, 65], 0));
    assert_eq!(played(vec![(at(5), at(6), one), (at(6), at(7), Some(IssueId(2)))], 60), (vec![5, 6], 0));
}

#[test]
fn a_rule_fires_thirty_times_an_hour_and_again_in_the_next() {
    let issues = |until: i64| (1..=32).map(|id| (at(id), at(until), Some(IssueId(id)))).collect();
    let (fired, suppressed) = played(issues(40), 24 * 60);
    assert_eq!((fired.len(), suppressed), (30, 2));
    let (fired, suppressed) = played(issues(100), 24 * 60);
    assert_eq!((&fired[30..], suppressed), (&[61, 61][..], 2));
}

#[test]
fn entries_are_summed_over_the_steps_of_the_window() {
    let now = Timestamp::from_millis(100 * HOUR);
    let mut steps = vec![0; 24];
    (steps[10], steps[12]) = (2, 2);
    assert_eq!(of_logs(&steps, (3, 1), 60, now).count, 1, "in one minute, whenever that begins");
    assert_eq!(of_logs(&steps, (4, 1), 60, now).count, 0);
    steps.swap(12, 17);
    assert_eq!(of_logs(&steps, (3, 1), 60, now).count, 0);
    let preview = of_logs(&steps, (1, 1), 1, now);
    assert_eq!(preview.count, 2);
    assert_eq!(preview.examples[0].at, now.plus(-(24 - 17 - 1) * STEP));
}
