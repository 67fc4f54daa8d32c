//! Every released schema can be migrated to the current one. Until something is released, frozen first
//! versions and made-up changes prove that migration works.

mod full_disk;

use super::*;
use crate::store::schema::{LOGS, MAIN, create, open};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The schemas of released versions: each is frozen with the release that introduces it, and never edited.
const RELEASED: &[(&Schema, i64, &str)] = &[];

const FROZEN_MAIN: &str = include_str!("../../../../tests/schema/main-1.sql");
const FROZEN_LOGS: &str = include_str!("../../../../tests/schema/logs-1.sql");

/// A frozen first version, the rows of a file of that time, and a made-up current schema with its steps.
struct Case {
    name: &'static str,
    frozen: Schema,
    rows: &'static str,
    current: Schema,
}

fn cases() -> [Case; 2] {
    [
        Case {
            name: "main.db",
            frozen: Schema { sql: FROZEN_MAIN, steps: &[], version: 1, ..MAIN },
            rows: "insert into organizations (id, name, slug, created_at, updated_at) values (3, 'O', 'o', 1, 2);
                insert into projects (id, organization_id, name, slug, settings, created_at, updated_at)
                    values (4, 3, 'P', 'p', '{}', 1, 2);
                insert into releases (id, project_id, version, url_prefix, created_at) values (5, 4, '1', '~/', 1);
                insert into map_files (id, blake3, sha256, size, created_at) values (6, x'00', x'01', 9, 1);
                insert into source_maps (id, release_id, url, file_id, created_at) values (7, 5, '~/a.js', 6, 1);",
            current: Schema {
                sql: changed(
                    FROZEN_MAIN,
                    &[
                        ("    finalized_at  integer,\n", "    finalized_at  integer,\n    channel text,\n"),
                        (
                            "    version       text    not null,\n    url_prefix",
                            "    version       text    not null check (version <> ''),\n    url_prefix",
                        ),
                        (
                            "pragma user_version = 1;",
                            "create table made_up (id integer primary key, release_id integer not null references
                                releases (id) on delete cascade, name text not null default 'x') strict;
                            create index made_up_by_release on made_up (release_id);
                            pragma user_version = 3;",
                        ),
                    ],
                ),
                version: 3,
                steps: &[
                    Step {
                        name: "0002_channels",
                        sql: "alter table releases add column channel text;
                            create table made_up (
                                id integer primary key, -- of its own
                                release_id integer not null references releases (id) on delete cascade,
                                name text not null default 'x') strict;
                            create index made_up_by_release on made_up (release_id);
                            insert into made_up (release_id) select id from releases;",
                    },
                    // Other tables refer to it, and their rows would be deleted if it were simply dropped.
                    Step {
                        name: "0003_versions",
                        sql: "create table new_releases (
                                id            integer primary key autoincrement,
                                project_id    integer not null references projects (id) on delete cascade,
                                version       text    not null check (version <> ''),
                                url_prefix    text    not null,
                                created_at    integer not null,
                                finalized_at  integer,
                                channel       text,
                                unique (project_id, version)
                            ) strict;
                            insert into new_releases select * from releases;
                            drop table releases;
                            alter table new_releases rename to releases;
                            create index releases_newest on releases (project_id, id desc);",
                    },
                ],
                ..MAIN
            },
        },
        Case {
            name: "logs.db",
            frozen: Schema { sql: FROZEN_LOGS, steps: &[], version: 1, ..LOGS },
            rows: "insert into batches (id, project_id, received_at, environment, count, entries)
                    values (70, 1, 2, 'production', 1, x'00ff');
                insert into repeats (project_id, key, body, accepted, dropped, at) values (1, x'02', x'03', 1, 0, 2);",
            current: Schema {
                sql: changed(
                    FROZEN_LOGS,
                    &[
                        (
                            "    entries      blob    not null               -- as logs::batch packs them\n",
                            "    entries      blob    not null,\n    source text not null default ''\n",
                        ),
                        ("create index repeats_by_time on repeats (at);", "create index repeats_by_time on repeats (at, key);"),
                        ("pragma user_version = 1;", "pragma user_version = 2;"),
                    ],
                ),
                version: 2,
                steps: &[Step {
                    name: "0002_sources",
                    sql: "alter table batches add column source text not null default '';
                        drop index repeats_by_time;
                        create index repeats_by_time on repeats (at, key);",
                }],
                ..LOGS
            },
        },
    ]
}

/// The text with each of the changes, each of which must apply exactly once. (Kept for as long as the tests
/// run.)
#[track_caller]
fn changed(text: &str, changes: &[(&str, &str)]) -> &'static str {
    let change = |text: String, (from, to): &(&str, &str)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    };
    changes.iter().fold(text.to_owned(), change).leak()
}

/// A file of the frozen version, with its rows.
fn old_file(case: &Case, folder: &Path) -> PathBuf {
    let path = folder.join(case.name);
    let mut connection = crate::store::connection::open_writer(&path, 1_000).unwrap();
    create(&mut connection, &case.frozen, "0123456789abcdef0123456789abcdef").unwrap();
    connection.execute_batch(case.rows).unwrap();
    path
}

fn read(path: &Path) -> Connection {
    Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// Everything in `sqlite_schema`, without what makes no difference: comments, layout, and the quotes of a table that
/// was renamed.
fn definitions(c: &Connection) -> BTreeMap<String, String> {
    let mut statement = c.prepare("select type, name, coalesce(sql, '') from sqlite_schema").unwrap();
    let of_row = |row: &rusqlite::Row<'_>| {
        let (kind, name, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((format!("{kind} {name}"), normal(&sql)))
    };
    let rows = statement.query_map((), of_row).unwrap();
    rows.map(std::result::Result::unwrap).collect()
}

fn normal(sql: &str) -> String {
    let code: Vec<&str> = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let words = code.join(" ").replace('"', "").replace('(', " ( ").replace(')', " ) ").replace(',', " , ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every row of the tables and columns of `schema`.
fn rows(c: &Connection, schema: &Schema) -> Vec<String> {
    let frozen = Connection::open_in_memory().unwrap();
    frozen.execute_batch(schema.sql).unwrap();
    let mut columns = frozen
        .prepare(
            "select s.name, group_concat('quote(' || c.name || ')', '||'',''||') from sqlite_schema s
             join pragma_table_info(s.name) c where s.type = 'table' and s.name <> 'sqlite_sequence' group by 1 order by 1",
        )
        .unwrap();
    let tables = columns.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let tables: Vec<(String, String)> = tables.map(std::result::Result::unwrap).collect();
    let of_table = |(table, columns): &(String, String)| {
        let mut statement =
            c.prepare(&format!("select '{table}: ' || {columns} from {table} order by 1")).unwrap();
        let rows = statement.query_map((), |row| row.get::<_, String>(0)).unwrap();
        rows.map(std::result::Result::unwrap).collect::<Vec<_>>()
    };
    tables.iter().flat_map(of_table).collect()
}

/// Migrates a file and compares it with a new one.
#[track_caller]
fn assert_reaches(path: &Path, schema: &Schema) {
    drop(open(path, false, schema, None).unwrap());
    let fresh = Connection::open_in_memory().unwrap();
    fresh.execute_batch(schema.sql).unwrap();
    let mut migrated = definitions(&read(path));
    // Present only if SQLite gathered statistics.
    migrated.retain(|name, _| !name.contains("sqlite_stat"));
    assert_eq!(migrated, definitions(&fresh));
    assert_eq!(version(&read(path)).unwrap(), schema.version);
}

/// Why a file does not open.
#[track_caller]
fn refused(path: &Path, schema: &Schema) -> String {
    match open(path, false, schema, None).err() {
        Some(Error::Internal(cause)) => cause.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn steps_lead_from_a_frozen_version_to_the_whole_schema_and_keep_the_rows() {
    for case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let path = old_file(&case, folder.path());
        let (before, old) = (rows(&read(&path), &case.frozen), definitions(&read(&path)));
        assert!(before.len() >= 3, "{before:?}");
        assert_reaches(&path, &case.current);
        assert_eq!(rows(&read(&path), &case.frozen), before);
        let copy = path.with_extension("v1.db");
        assert_eq!(
            (rows(&read(&copy), &case.frozen), definitions(&read(&copy))),
            (before, old),
            "the way back"
        );
        // Once.
        drop(open(&path, false, &case.current, None).unwrap());
    }
}

#[test]
fn what_a_step_forgets_is_noticed() {
    for mut case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let path = old_file(&case, folder.path());
        case.current.steps = &case.current.steps[..case.current.steps.len() - 1];
        assert!(refused(&path, &case.current).contains("not the current schema"));
        assert_eq!(version(&read(&path)).unwrap(), 1);
    }
}

/// A step with this statement, after one that works.
fn failing(sql: &'static str) -> &'static [Step] {
    let first = Step { name: "0002_first", sql: "create table first (id integer primary key) strict;" };
    vec![first, Step { name: "0003_second", sql }].leak()
}

#[test]
fn a_step_that_fails_leaves_everything_as_it_was() {
    let faults = [
        (
            "create table second (id integer primary key) strict; select no_column from origin;",
            "0003_second failed",
        ),
        ("commit;", "0003_second"),
        ("drop table origin;", "not the current schema"),
    ];
    for mut case in cases() {
        for (sql, says) in faults {
            let folder = tempfile::tempdir().unwrap();
            let path = old_file(&case, folder.path());
            let before = (rows(&read(&path), &case.frozen), definitions(&read(&path)));
            case.current.steps = failing(sql);
            case.current.version = 3;
            let text = refused(&path, &case.current);
            assert!(text.contains(says) && text.contains("from schema version 1 to 3"), "{sql}: {text}");
            if sql != "commit;" {
                assert_eq!((rows(&read(&path), &case.frozen), definitions(&read(&path))), before, "{sql}");
                drop(open(&path, false, &case.frozen, None).unwrap());
            }
        }
    }
}

#[test]
fn dangling_references_do_not_stop_a_migration() {
    let [mut case, _] = cases();
    let folder = tempfile::tempdir().unwrap();
    let path = old_file(&case, folder.path());
    case.current = Schema {
        sql: changed(FROZEN_MAIN, &[("pragma user_version = 1;", "pragma user_version = 2;")]),
        version: 2,
        steps: &[Step { name: "0002_gone", sql: "delete from map_files;" }],
        ..MAIN
    };
    let text = refused(&path, &case.current);
    assert!(text.contains("rows of source_maps refer to rows of map_files"), "{text}");
    assert_eq!(version(&read(&path)).unwrap(), 1);
}

#[test]
fn an_unfinished_copy_is_made_again() {
    let [case, _] = cases();
    let folder = tempfile::tempdir().unwrap();
    let path = old_file(&case, folder.path());
    fs::write(path.with_extension("v1.new"), "half of it").unwrap();
    assert_reaches(&path, &case.current);
    assert_eq!(version(&read(&path.with_extension("v1.db"))).unwrap(), 1);
    assert!(!path.with_extension("v1.new").exists());
}

#[test]
fn a_copy_of_an_earlier_attempt_is_replaced() {
    let [case, _] = cases();
    let folder = tempfile::tempdir().unwrap();
    let path = old_file(&case, folder.path());
    // Of an attempt after which the previous version went on.
    fs::copy(&path, path.with_extension("v1.db")).unwrap();
    let rows_before = rows(&read(&path), &case.frozen);
    let added = Connection::open(&path).unwrap();
    added
        .execute_batch(
            "insert into organizations (id, name, slug, created_at, updated_at) values (9, 'L', 'l', 1, 2);",
        )
        .unwrap();
    drop(added);
    assert_reaches(&path, &case.current);
    let kept = rows(&read(&path.with_extension("v1.db")), &case.frozen);
    assert_eq!(kept.len(), rows_before.len() + 1, "{kept:?}");
}

#[test]
fn a_file_of_a_newer_version_is_refused_and_stays_as_it_is() {
    for case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let path = old_file(&case, folder.path());
        drop(open(&path, false, &case.current, None).unwrap());
        let before = definitions(&read(&path));
        let text = refused(&path, &case.frozen);
        let versions = format!("has schema version {}, this Mayday knows 1", case.current.version);
        assert!(text.contains(&versions) && text.contains("run the newer version again"), "{text}");
        assert_eq!(definitions(&read(&path)), before);
    }
}

#[test]
fn every_version_after_the_first_has_its_step() {
    for schema in [MAIN, LOGS] {
        assert_eq!(schema.version, 1 + schema.steps.len() as i64);
    }
}

#[test]
fn released_versions_reach_the_current_schema() {
    for (schema, version, frozen) in RELEASED {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("released.db");
        let mut connection = crate::store::connection::open_writer(&path, 1_000).unwrap();
        create(&mut connection, &Schema { sql: frozen, version: *version, ..**schema }, "of then").unwrap();
        drop(connection);
        assert_reaches(&path, schema);
    }
    let changelog = include_str!("../../../../CHANGELOG.md");
    assert!(
        !has_release(changelog) || !RELEASED.is_empty(),
        "a release freezes its schemas: copy them to tests/schema/ and list them in RELEASED"
    );
}

/// Whether a changelog has the section of a release, as `make cut` writes its title.
fn has_release(changelog: &str) -> bool {
    let is_release = |title: &str| title.starts_with(|first: char| first.is_ascii_digit());
    changelog.lines().filter_map(|line| line.strip_prefix("## ")).any(is_release)
}

#[test]
fn a_release_is_recognized_by_the_title_that_make_cut_writes() {
    let script = include_str!("../../../../tools/release.sh");
    assert!(script.contains("title=\"## $1 ($today)\""), "tools/release.sh writes another title");
    assert!(has_release("# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-11-24)\n"));
    assert!(!has_release("# Changelog\n\n## Unreleased\n\n### Errors 2\n"));
}
