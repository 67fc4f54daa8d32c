//! The schemas of the later version that a debug build plays ([`crate::version`]): made-up steps more.

use super::{LOGS, MAIN, Schema, Step};
use crate::version::{FailingStep, Rehearsed, rehearsed};
use std::sync::OnceLock;

const STEP: &str = "create table rehearsals (id integer primary key) strict;\n";
/// Fails in its second statement.
const FAILING: &str = "create table rehearsals (id integer primary key) strict;
insert into rehearsals (made_up) values (1);\n";

/// The schema of `main.db` in the rehearsed version, if any.
pub(super) fn main() -> Option<&'static Schema> {
    static PLAYED: OnceLock<Option<Schema>> = OnceLock::new();
    let after = |played: &Rehearsed| after(&MAIN, played.fails == Some(FailingStep::Main));
    PLAYED.get_or_init(|| rehearsed().map(after)).as_ref()
}

/// The schema of `logs.db` in the played version, if that has another one.
pub(super) fn logs() -> Option<&'static Schema> {
    static PLAYED: OnceLock<Option<Schema>> = OnceLock::new();
    let has_step = |played: &&Rehearsed| played.fails == Some(FailingStep::Logs);
    PLAYED.get_or_init(|| rehearsed().filter(has_step).map(|_| after(&LOGS, true))).as_ref()
}

/// Lives as long as the process: there are at most two.
fn after(schema: &Schema, fails: bool) -> Schema {
    let version = schema.version + 1;
    let known = schema.steps.iter().map(|step| Step { name: step.name, sql: step.sql });
    let more = Step { name: "rehearsals", sql: if fails { FAILING } else { STEP } };
    Schema {
        sql: format!("{}\n{STEP}pragma user_version = {version};\n", schema.sql).leak(),
        version,
        steps: known.chain([more]).collect::<Vec<_>>().leak(),
        ..*schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::open;

    fn played(fails: bool) -> Schema {
        after(&MAIN, fails)
    }

    #[test]
    fn the_played_version_migrates_and_the_current_one_then_refuses() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("main.db");
        drop(open(&path, false, &MAIN, None).unwrap());
        drop(open(&path, false, &played(false), None).unwrap());
        assert!(open(&path, false, &MAIN, None).is_err());
        // A new directory gets the same schema.
        let fresh = dir.path().join("fresh");
        std::fs::create_dir(&fresh).unwrap();
        drop(open(&fresh.join("main.db"), false, &played(false), None).unwrap());
    }

    #[test]
    fn a_failing_step_leaves_the_file_to_the_current_version() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("main.db");
        drop(open(&path, false, &MAIN, None).unwrap());
        let error = open(&path, false, &played(true), None).unwrap_err();
        assert!(format!("{error:?}").contains("rehearsals failed"), "{error:?}");
        drop(open(&path, false, &MAIN, None).unwrap());
    }
}
