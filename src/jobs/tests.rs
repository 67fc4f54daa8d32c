use super::*;
use crate::metrics::Metrics;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often something happened.
#[derive(Clone, Default)]
struct Count(Arc<AtomicU32>);

impl Count {
    fn add(&self) -> u32 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn get(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }

    async fn reaches(&self, wanted: u32) {
        for _ in 0..4_000 {
            if self.get() >= wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{wanted} did not come: {}", self.get());
    }
}

fn registry(jobs: Vec<Job>) -> Registry {
    Registry::new(jobs, &Metrics::default().jobs).unwrap()
}

const SHORT: Duration = Duration::from_millis(1);

#[tokio::test]
async fn a_job_runs_repeatedly_until_the_server_stops() {
    let runs = Count::default();
    let counted = runs.clone();
    let job = Job::every("work", SHORT, move || {
        counted.add();
        async { Ok(()) }
    });
    let running = registry(vec![job]).start();
    runs.reaches(3).await;
    running.stop().await;
    let stopped = runs.get();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(runs.get(), stopped);
}

#[tokio::test]
async fn a_job_does_not_run_twice_at_once() {
    let (inside, most, runs) = (Count::default(), Count::default(), Count::default());
    let counts = (inside.clone(), most.clone(), runs.clone());
    let job = Job::every("work", SHORT, move || {
        let (inside, most, runs) = counts.clone();
        async move {
            most.0.fetch_max(inside.add(), Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(5)).await;
            inside.0.fetch_sub(1, Ordering::SeqCst);
            runs.add();
            Ok(())
        }
    });
    let registry = Arc::new(registry(vec![job]));
    let mut asked = JoinSet::new();
    for _ in 0..10 {
        let registry = registry.clone();
        asked.spawn(async move { registry.run("work").await });
    }
    let outcomes = asked.join_all().await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!((runs.get(), most.get()), (10, 1));
}

#[tokio::test]
async fn a_failed_or_panicked_run_is_counted_and_followed_by_the_next() {
    let metrics = Metrics::default();
    let runs = Count::default();
    let counted = runs.clone();
    let job = Job::every("work", SHORT, move || {
        let run = counted.add();
        async move {
            assert_ne!(run, 2, "on purpose");
            if run == 1 { Err(Error::internal("on purpose")) } else { Ok(()) }
        }
    });
    let running = Registry::new(vec![job], &metrics.jobs).unwrap().start();
    runs.reaches(4).await;
    running.stop().await;
    let text = text(&metrics);
    assert!(text.contains("mayday_job_failures_total{job=\"work\"} 2\n"), "{text}");
    assert!(text.contains("mayday_job_last_run_timestamp_seconds{job=\"work\"} "), "{text}");
    assert!(text.contains("mayday_job_duration_seconds{job=\"work\"} "), "{text}");
}

#[tokio::test]
async fn a_panic_before_the_first_await_ends_only_that_run() {
    let metrics = Metrics::default();
    let runs = Count::default();
    let counted = runs.clone();
    let job = Job::every("work", SHORT, move || {
        assert_ne!(counted.add(), 1, "on purpose");
        std::future::ready(Ok(()))
    });
    let running = Registry::new(vec![job], &metrics.jobs).unwrap().start();
    runs.reaches(3).await;
    running.stop().await;
    assert!(text(&metrics).contains("mayday_job_failures_total{job=\"work\"} 1\n"), "{}", text(&metrics));
}

fn text(metrics: &Metrics) -> String {
    let depth = crate::store::Depth { items: 0, bytes: 0 };
    let standing = crate::store::journal::Standing { queue: depth, last: 0, bytes: 0 };
    metrics.text(tempfile::tempdir().unwrap().path(), &Default::default(), standing, 0).unwrap()
}

#[tokio::test]
async fn a_slow_job_does_not_delay_others() {
    let runs = Count::default();
    let counted = runs.clone();
    let slow = Job::every("slow", SHORT, || async {
        std::future::pending::<()>().await;
        Ok(())
    });
    let quick = Job::every("quick", SHORT, move || {
        counted.add();
        async { Ok(()) }
    });
    let _running = registry(vec![slow.at_start(), quick]).start();
    runs.reaches(3).await;
}

#[tokio::test]
async fn a_woken_job_runs_at_the_start_when_woken_and_after_its_wait() {
    let (wake, runs) = (Arc::new(Notify::new()), Count::default());
    let counted = runs.clone();
    let job = Job::woken("work", wake.clone(), move |_| {
        // After the second run, the next one comes by itself.
        let wait = if counted.add() == 2 { SHORT } else { Duration::from_hours(1) };
        async move { Ok(wait) }
    });
    let _running = registry(vec![job]).start();
    runs.reaches(1).await;
    wake.notify_one();
    runs.reaches(3).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(runs.get(), 3);
}

#[tokio::test]
async fn an_hourly_job_runs_at_the_start_and_once_within_the_hour() {
    let runs = Count::default();
    let counted = runs.clone();
    let job = Job::hourly("work", move || {
        counted.add();
        async { Ok(()) }
    });
    let before = Timestamp::now().hour();
    let running = registry(vec![job]).start();
    runs.reaches(1).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    if Timestamp::now().hour() == before {
        assert_eq!(runs.get(), 1);
    }
    running.stop().await;
}

#[tokio::test]
async fn stopping_waits_for_a_run_in_progress() {
    let (begun, ended) = (Count::default(), Count::default());
    let counts = (begun.clone(), ended.clone());
    let job = Job::every("work", SHORT, move || {
        let (begun, ended) = counts.clone();
        async move {
            begun.add();
            tokio::time::sleep(Duration::from_millis(100)).await;
            ended.add();
            Ok(())
        }
    });
    let running = registry(vec![job]).start();
    begun.reaches(1).await;
    running.stop().await;
    assert_eq!(ended.get(), begun.get());
}

#[tokio::test]
async fn stopping_aborts_a_run_that_never_ends() {
    let (begun, held) = (Count::default(), Arc::new(()));
    let (counted, holding) = (begun.clone(), held.clone());
    let job = Job::every("work", SHORT, move || {
        counted.add();
        let held = holding.clone();
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(())
        }
    });
    let running = registry(vec![job]).start();
    begun.reaches(1).await;
    running.stop_within(SHORT).await;
    for _ in 0..4_000 {
        // The run has been dropped, and the job with it.
        if Arc::strong_count(&held) == 1 {
            return;
        }
        tokio::time::sleep(SHORT).await;
    }
    panic!("the run goes on");
}

#[test]
fn two_jobs_cannot_have_the_same_name() {
    let jobs = ["work", "work"].map(|name| Job::every(name, SHORT, || async { Ok(()) }));
    assert!(Registry::new(jobs.into(), &Metrics::default().jobs).is_err());
}

#[tokio::test]
async fn an_abortable_run_is_not_waited_for() {
    let (begun, ended) = (Count::default(), Count::default());
    let counts = (begun.clone(), ended.clone());
    let job = Job::every("work", SHORT, move || {
        let (begun, ended) = counts.clone();
        async move {
            begun.add();
            std::future::pending::<()>().await;
            ended.add();
            Ok(())
        }
    });
    let running = registry(vec![job.cut_short()]).start();
    begun.reaches(1).await;
    // Longer than the test takes.
    running.stop_within(Duration::from_hours(1)).await;
    assert_eq!(ended.get(), 0);
}

#[tokio::test]
async fn reports_have_the_runs_of_each_job() {
    let reports = Reports::default();
    let runs = Count::default();
    let counted = runs.clone();
    let fails_first = Job::every("fails first", SHORT, move || {
        let run = counted.add();
        async move { if run == 1 { Err(Error::internal("on purpose")) } else { Ok(()) } }
    });
    let begun = Count::default();
    let beginning = begun.clone();
    let under_way = Job::every("endless", SHORT, move || {
        beginning.add();
        std::future::pending()
    });
    let before = Timestamp::now();
    let jobs = vec![fails_first, under_way.at_start()];
    let registry = Registry::reporting(jobs, &Metrics::default().jobs, &reports).unwrap();
    let nothing = Report::default();
    assert_eq!(reports.all(), [("endless", nothing), ("fails first", nothing)]);
    let running = registry.start();
    runs.reaches(3).await;
    begun.reaches(1).await;
    let all = reports.all();
    assert_eq!(all[0], ("endless", Report { running: true, ..nothing }));
    let (name, report) = all[1];
    assert_eq!((name, report.failures), ("fails first", 1));
    let last = report.last_run.unwrap();
    assert!(report.runs >= 2 && last.succeeded && last.began_at >= before, "{report:?}");
    running.stop_within(SHORT).await;
}

#[tokio::test]
async fn a_job_is_running_only_during_a_run() {
    let reports = Reports::default();
    let job = Job::every("work", SHORT, || std::future::ready(Ok(())));
    let registry = Registry::reporting(vec![job], &Metrics::default().jobs, &reports).unwrap();
    registry.run("work").await.unwrap();
    let (_, report) = reports.all()[0];
    assert_eq!((report.running, report.runs, report.failures), (false, 1, 0));
}
