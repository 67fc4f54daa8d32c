//! Projects with few events beside one with many.

use super::*;

const OTHER: ProjectId = ProjectId(2);

/// A bench with another project.
fn two() -> Bench {
    let bench = bench();
    let add = |tx: &Transaction<'_>| {
        let organization =
            crate::ids::OrganizationId(tx.query_row("select id from organizations", (), |row| row.get(0))?);
        let settings = projects::Settings::default();
        let new = projects::sql::NewProject { organization, name: "Q".into(), platform: None, settings };
        projects::sql::create(tx, &new, Timestamp::now()).map(drop)
    };
    bench.main.write_blocking(add).unwrap();
    bench
}

/// Stores an event of each of these projects, all at once.
fn store(bench: &Bench, projects: impl IntoIterator<Item = ProjectId>) {
    let first = bench.intake.newest();
    let row = |(number, project): (i64, ProjectId)| {
        let body = json!({"event_id": number.to_string(), "message": "x"}).to_string();
        let event = decode::event(decode::parse(body.as_bytes()).unwrap(), None, Timestamp::now()).unwrap();
        Row::new(&bench.main.packer, project, &event).unwrap()
    };
    add(bench, (first..).zip(projects).map(row).collect());
}

fn add(bench: &Bench, rows: Vec<Row>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(bench.intake.add(rows)).unwrap();
}

/// Stores events of the first project, each with a hundred tags of its own.
fn store_dear(bench: &Bench, count: i64) {
    let first = bench.intake.newest();
    let row = |number: i64| {
        let tags: serde_json::Map<_, _> =
            (0..100).map(|tag| (format!("t{tag}"), json!(format!("{number} {tag}")))).collect();
        let body = json!({"event_id": number.to_string(), "message": "x", "tags": tags}).to_string();
        let event = decode::event(decode::parse(body.as_bytes()).unwrap(), None, Timestamp::now()).unwrap();
        Row::new(&bench.main.packer, PROJECT, &event).unwrap()
    };
    add(bench, (first..first + count).map(row).collect());
}

fn many(count: usize) -> impl Iterator<Item = ProjectId> {
    std::iter::repeat_n(PROJECT, count)
}

fn events(bench: &Bench, project: ProjectId) -> i64 {
    bench.count(&format!("select count(*) from events where project_id = {}", project.0))
}

/// Takes and stores a round ahead of the order.
fn serve_ahead(worker: &mut Worker) -> bool {
    let round = worker.turns.ahead(&worker.parts.intake, worker.prepared).unwrap();
    let Some(round) = round else { return false };
    worker.take(round).unwrap();
    worker.land().unwrap()
}

#[test]
fn few_events_do_not_wait_behind_many() {
    let bench = two();
    store(&bench, many(1_500).chain([OTHER]).chain(many(100)).chain([OTHER]));
    let mut worker = bench.worker();
    assert!(serve_ahead(&mut worker));
    assert_eq!((events(&bench, OTHER), events(&bench, PROJECT)), (2, 0));
    assert_eq!(bench.count("select position from digest"), 0);
    assert!(!serve_ahead(&mut worker), "there is nobody else");
    // What comes later is found, too.
    store(&bench, many(5).chain([OTHER]));
    assert!(serve_ahead(&mut worker));
    assert_eq!(events(&bench, OTHER), 3);
    while worker.step().unwrap() {}
    assert_eq!((events(&bench, OTHER), events(&bench, PROJECT)), (3, 1_605));
    assert_eq!(bench.count("select sum(event_count) from issues"), 1_608);
    assert_eq!(bench.count("select position from digest"), bench.intake.newest());
    assert_eq!(bench.count("select count(*) from digest_ahead"), 0);
}

#[test]
fn what_was_served_ahead_is_not_digested_again_after_a_restart() {
    let bench = two();
    store(&bench, many(600));
    bench.store(Row::damaged(OTHER, "a"));
    store(&bench, many(600));
    assert!(serve_ahead(&mut bench.worker()));
    assert_eq!(bench.count("select count(*) from set_aside"), 1);
    let mut worker = bench.worker();
    assert!(!serve_ahead(&mut worker));
    while worker.step().unwrap() {}
    assert_eq!(bench.count("select count(*) from set_aside"), 1);
    assert_eq!(events(&bench, PROJECT), 1_200);
}

/// As after a crash between the commit and the update of memory.
#[test]
fn a_round_ahead_that_is_applied_twice_counts_once() {
    let bench = two();
    store(&bench, many(600));
    bench.store(Row::damaged(OTHER, "a"));
    let (mut first, mut second) = (bench.worker(), bench.worker());
    assert!(serve_ahead(&mut first) && serve_ahead(&mut second));
    while second.step().unwrap() {}
    assert_eq!(bench.count("select count(*) from set_aside"), 1);
}

#[test]
fn the_events_of_a_project_stay_in_their_order() {
    let bench = two();
    let others = std::iter::repeat_n(OTHER, 600);
    store(&bench, others.chain(many(3_600)));
    store(&bench, [OTHER]);
    let mut worker = bench.worker();
    // Both have many in the first window; the last event is in the second.
    assert!(!serve_ahead(&mut worker));
    assert!(worker.step().unwrap() && worker.land().unwrap());
    store(&bench, [OTHER]);
    assert!(!serve_ahead(&mut worker), "one before it waits");
    assert_eq!(events(&bench, OTHER), 600);
    // In a new look, it has few.
    worker.turns = Turns::default();
    assert!(serve_ahead(&mut worker));
    assert_eq!(events(&bench, OTHER), 602);
    while worker.step().unwrap() {}
    assert_eq!((events(&bench, OTHER), events(&bench, PROJECT)), (602, 3_600));
}

/// Few events in one window, many in the next.
#[test]
fn a_burst_that_begins_at_the_end_of_a_window_is_whole() {
    let bench = two();
    store(&bench, many(4_000).chain(std::iter::repeat_n(OTHER, 696)).chain(many(500)));
    let mut worker = bench.worker();
    while serve_ahead(&mut worker) {}
    while worker.step().unwrap() {}
    assert_eq!((events(&bench, OTHER), events(&bench, PROJECT)), (696, 4_500));
}

/// Deterministic numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % bound
    }
}

/// Events of projects 1 to `count` in bursts of random length; every other burst is of project 1.
fn bursts(rng: &mut Random, count: usize, total: usize) -> Vec<ProjectId> {
    let mut all = Vec::new();
    while all.len() < total {
        all.extend(many(rng.below(5_000)));
        let most = [1, 20, 300, 1_500][rng.below(4)];
        all.extend(std::iter::repeat_n(ProjectId(2 + rng.below(count - 1) as i64), 1 + rng.below(most)));
    }
    all
}

/// Records the events of a round; some rounds are prepared only in part.
fn hand_out(turns: &mut Turns, round: &Round, rng: &mut Random, given: &mut Vec<(ProjectId, i64)>) -> i64 {
    let places: Vec<_> = round.events.iter().map(|event| (event.project, event.position)).collect();
    let count = if rng.below(2) == 0 { places.len() } else { rng.below(places.len() + 1) };
    given.extend(&places[..count]);
    let works = places.iter().map(|(project, _)| (*project, 1 + rng.below(20)));
    turns.weigh(round, works);
    match turns.reach(round, &places, count) {
        Some(Reach::UpTo(end)) => end,
        _ => 0,
    }
}

#[test]
fn every_event_has_one_turn_in_its_projects_order() {
    for seed in 0..30 {
        let (bench, mut rng) = (bench(), Random(seed));
        let (mut turns, mut given, mut position) = (Turns::default(), Vec::new(), 0);
        let (mut later, mut all) = (bursts(&mut rng, 8, 20_000), Vec::<ProjectId>::new());
        while !later.is_empty() || position < bench.intake.newest() {
            let now = later.split_off(later.len().saturating_sub(rng.below(6_000)));
            all.extend(&now);
            let rows = now.into_iter().map(|project| Row::damaged(project, "")).collect();
            add(&bench, rows);
            if let Some(round) = turns.ahead(&bench.intake, position).unwrap() {
                assert_eq!(hand_out(&mut turns, &round, &mut rng, &mut given), 0, "seed {seed}");
            }
            let round = turns.in_order(&bench.intake, position).unwrap();
            position = position.max(hand_out(&mut turns, &round, &mut rng, &mut given));
        }
        let of = |project| given.iter().filter(move |(of, _)| *of == project).map(|(_, at)| *at);
        for project in (1..=8).map(ProjectId) {
            let sent = (1..).zip(&all).filter(|(_, of)| **of == project).map(|(at, _)| at);
            assert!(of(project).eq(sent), "seed {seed}, project {}", project.0);
        }
    }
}

/// As many of the usual kind would not be enough: [`few_waiting_events_are_digested_in_order`].
#[test]
fn few_waiting_events_that_cost_much_are_many() {
    let bench = two();
    let mut worker = bench.worker();
    store_dear(&bench, 1);
    while worker.step().unwrap() {}
    store_dear(&bench, 45);
    store(&bench, [OTHER]);
    assert!(serve_ahead(&mut worker));
    assert_eq!((events(&bench, OTHER), events(&bench, PROJECT)), (1, 1));
    while worker.step().unwrap() {}
    assert_eq!((events(&bench, OTHER), events(&bench, PROJECT)), (1, 46));
    // Those that cost little are few again.
    store(&bench, many(45));
    while worker.step().unwrap() {}
    store(&bench, many(45).chain([OTHER]));
    assert!(!serve_ahead(&mut worker));
}

#[test]
fn a_batch_has_fewer_events_if_they_cost_much() {
    let bench = bench();
    let mut worker = bench.worker();
    store_dear(&bench, 300);
    assert!(worker.step().unwrap() && worker.land().unwrap());
    let first = events(&bench, PROJECT);
    assert!((150..300).contains(&first), "{first}");
    while worker.step().unwrap() {}
    assert_eq!(events(&bench, PROJECT), 300);
}

#[test]
fn few_waiting_events_are_digested_in_order() {
    let bench = two();
    store(&bench, many(60).chain([OTHER]));
    assert!(!serve_ahead(&mut bench.worker()));
}

#[test]
fn without_a_busy_project_nobody_is_served_ahead() {
    let bench = two();
    store(&bench, many(100).chain(std::iter::repeat_n(OTHER, 100)));
    assert!(!serve_ahead(&mut bench.worker()));
}

/// As an event that fails alone makes the digest apply a batch one by one.
#[test]
fn a_batch_that_is_applied_one_by_one_reaches_as_far() {
    let bench = two();
    store(&bench, many(600).chain([OTHER]));
    let mut worker = bench.worker();
    assert!(serve_ahead(&mut worker));
    let round = worker.turns.in_order(&worker.parts.intake, 0).unwrap();
    let places: Vec<_> = round.events.iter().map(|event| (event.project, event.position)).collect();
    let reach = worker.turns.reach(&round, &places, places.len()).unwrap();
    let outcomes = worker.prepare_all(round.events).unwrap();
    outcomes.iter().for_each(|outcome| worker.apply_alone(outcome, &reach).unwrap());
    worker.apply_all(Vec::new(), reach).unwrap();
    assert_eq!(bench.count("select position from digest"), bench.intake.newest());
    assert_eq!(bench.count("select count(*) from digest_ahead"), 0);
}

fn wait_for(bench: &Bench, query: &str, count: i64) {
    let until = Instant::now() + Duration::from_secs(20);
    while bench.count(query) != count && Instant::now() < until {
        std::thread::sleep(NAP);
    }
    assert_eq!(bench.count(query), count, "{query}");
}

#[test]
fn positions_of_a_lost_journal_do_not_cause_skipping() {
    let bench = bench();
    bench.main.write_blocking(|tx| sql::reach_ahead(tx, PROJECT, 100)).unwrap();
    let digest = Digest::start(bench.worker().parts, bench.maps.clone(), Fatal::new().0).unwrap();
    store(&bench, [PROJECT]);
    wait_for(&bench, "select count(*) from events", 1);
    digest.stop();
}

/// As a backup has the journal of a moment before that of `main.db`.
#[test]
fn what_an_older_journal_has_is_not_digested_twice() {
    let bench = two();
    store(&bench, many(600));
    bench.store(Row::damaged(OTHER, "a"));
    assert!(serve_ahead(&mut bench.worker()));
    bench.main.write_blocking(|tx| sql::reach_ahead(tx, OTHER, 5_000)).unwrap();
    let digest = Digest::start(bench.worker().parts, bench.maps.clone(), Fatal::new().0).unwrap();
    wait_for(&bench, "select count(*) from events", 600);
    wait_for(&bench, "select position from digest", bench.intake.newest());
    digest.stop();
    assert_eq!(bench.count("select count(*) from set_aside"), 1);
}
