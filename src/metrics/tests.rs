use super::*;
use crate::store::Depth;
use crate::time::Timestamp;
use std::time::Duration;

const STANDING: Standing = Standing { queue: Depth { items: 2, bytes: 9 }, last: 12, bytes: 0 };

fn text(metrics: &Metrics) -> String {
    metrics
        .text(tempfile::tempdir().unwrap().path(), &Room { free: 5, ..Room::default() }, STANDING, 0)
        .unwrap()
}

#[track_caller]
fn assert_line(metrics: &Metrics, line: &str) {
    let text = text(metrics);
    assert!(text.lines().any(|found| found == line), "{line} is not in:\n{text}");
}

#[test]
fn every_figure_appears_under_its_name() {
    let metrics = Metrics::default();
    metrics.intake.accepted.inc_by(3);
    metrics.intake.group_events.observe(3.0);
    metrics.intake.commit_seconds.observe(0.001);
    metrics.digest.digested.inc_by(4);
    metrics.digest.reached(5);
    metrics.store.commit_seconds("main").observe(0.5);
    metrics.backup.succeeded(Timestamp::from_millis(1_500), 7);
    for line in [
        "mayday_backup_last_success_timestamp_seconds 1.5",
        "mayday_backup_size_bytes 7.0",
        "mayday_intake_accepted_total 3",
        "mayday_intake_group_events_bucket{le=\"4.0\"} 1",
        "mayday_intake_group_events_bucket{le=\"2.0\"} 0",
        "mayday_intake_commit_seconds_bucket{le=\"0.001\"} 1",
        "mayday_intake_queue_jobs 2",
        "mayday_intake_rejected_total{reason=\"rate\"} 0",
        "mayday_digest_digested_total 4",
        "mayday_digest_backlog_events 7",
        "mayday_store_commit_seconds_count{database=\"main\"} 1",
        "mayday_disk_free_bytes 5",
        concat!("mayday_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1"),
        "# EOF",
    ] {
        assert_line(&metrics, line);
    }
}

#[test]
fn the_lag_grows_while_the_oldest_event_waits() {
    let metrics = Metrics::default();
    assert_line(&metrics, "mayday_digest_lag_seconds 0.0");
    metrics.digest.waits_since(Some(Timestamp::now().plus(-5_000)));
    let text = text(&metrics);
    let lag = text.lines().find_map(|line| line.strip_prefix("mayday_digest_lag_seconds ")).unwrap();
    assert!(lag.parse::<f64>().unwrap() >= 5.0, "{lag}");
    metrics.digest.waits_since(None);
    assert_line(&metrics, "mayday_digest_lag_seconds 0.0");
}

#[test]
fn made_up_methods_share_a_label() {
    let metrics = Metrics::default();
    for method in ["GET", "BREW", "WHEN"] {
        metrics.requests.answered(method, "/health", 405, Duration::ZERO);
    }
    assert_line(&metrics, "mayday_http_requests_total{method=\"other\",route=\"/health\",status=\"405\"} 2");
    assert_line(&metrics, "mayday_http_seconds_count{method=\"GET\",route=\"/health\"} 1");
}

#[test]
fn files_are_summed_by_what_they_are_for() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("sourcemaps/ab")).unwrap();
    std::fs::create_dir_all(dir.path().join("intake")).unwrap();
    for (name, kib) in [("main.db", 64), ("main.db-wal", 64), ("intake/1", 256), ("sourcemaps/ab/x.map", 512)]
    {
        std::fs::write(dir.path().join(name), vec![7; kib << 10]).unwrap();
    }
    let text = Metrics::default().text(dir.path(), &Room::default(), STANDING, 0).unwrap();
    let bytes = |what: &str| -> u64 {
        let start = format!("mayday_disk_used_bytes{{what=\"{what}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&start)).unwrap().parse().unwrap()
    };
    for (what, kib) in [("main", 128), ("intake", 256), ("sourcemaps", 512)] {
        assert!((kib << 10..(kib << 10) + 32_768).contains(&bytes(what)), "{what}: {}", bytes(what));
    }
}
