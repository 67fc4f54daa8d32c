use super::*;
use crate::ids::ProjectId;
use crate::store::Fatal;
use crate::{organizations, projects};

/// Three projects: two with seven releases that only events name, the newest last, and one with two. Each release has a
/// user.
fn start(main: &Main) {
    const RELEASES: &str = "with recursive n (i) as (select 1 union all select i + 1 from n where i < 7)
        insert into release_counts (project_id, version, event_count, issue_count, first_event_at, last_event_at)
        select p.id, 'v' || n.i, 1, 1, n.i, n.i from projects p join n on p.id < 3 or n.i < 3";
    const USERS: &str = "insert into release_users (release_id, user) select id, 1 from release_counts";
    main.write_blocking(|tx| {
        let organization = organizations::sql::create(tx, "O", Timestamp::now())?;
        for name in ["A", "B", "C"] {
            let settings = projects::Settings::default();
            let new = projects::sql::NewProject { organization, name: name.into(), platform: None, settings };
            projects::sql::create(tx, &new, Timestamp::now())?;
        }
        tx.execute(RELEASES, ())?;
        tx.execute(USERS, ())?;
        Ok(())
    })
    .unwrap();
}

#[test]
fn each_project_keeps_the_newest_releases_that_only_events_name() {
    let dir = tempfile::tempdir().unwrap();
    let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
    start(&main);
    let with_more = || main.readers.read_blocking(|c| sql::with_more_seen(c, 3)).unwrap();
    assert_eq!(with_more(), [ProjectId(1), ProjectId(2)]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(forget_seen(&main, &Stopping::never(), 3, 2)).unwrap();
    let count = |query: &str| {
        main.readers.read_blocking(|c| Ok(c.query_row(query, (), |row| row.get::<_, i64>(0))?)).unwrap()
    };
    let kept = |project: i64| {
        let of = format!("from release_counts where project_id = {project}");
        (count(&format!("select count(*) {of}")), count(&format!("select min(last_event_at) {of}")))
    };
    assert_eq!([1, 2, 3].map(kept), [(3, 5), (3, 5), (2, 1)]);
    assert_eq!(count("select count(*) from release_users"), 8);
    assert!(with_more().is_empty(), "nothing is left to write");
}
