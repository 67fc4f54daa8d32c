use super::*;
use crate::store::schema::Step;
use crate::store::{Database, Fatal, LOGS, MAIN, Main};

/// A stopped instance with both databases.
fn stopped() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fatal = Fatal::new().0;
    let main = Main::open(folder.path(), &fatal).unwrap();
    let logs = Database::open_logs(folder.path(), &main.instance, &fatal).unwrap();
    main.stop();
    logs.stop();
    folder
}

/// A schema of the next version, with a step that leads to it.
fn next(schema: &Schema, sql: &'static str) -> Schema {
    let whole = format!("{}\n{sql}\npragma user_version = {};", schema.sql, schema.version + 1);
    let steps = schema.steps.iter().map(|step| Step { name: step.name, sql: step.sql });
    let steps: Vec<Step> = steps.chain([Step { name: "next", sql }]).collect();
    Schema { sql: whole.leak(), version: schema.version + 1, steps: steps.leak(), ..*schema }
}

const ADDED: &str = "create table added (id integer primary key) strict;";

fn text(error: &Error) -> String {
    match error {
        Error::Internal(cause) => cause.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn both_databases_are_brought_to_the_current_schema_once() {
    let folder = stopped();
    let (main, logs) = (next(&MAIN, ADDED), next(&LOGS, ADDED));
    let [first, second] = upgrade_to(folder.path(), &main, &logs).unwrap();
    assert_eq!((first.name, first.from, first.to), ("main.db", MAIN.version, MAIN.version + 1));
    assert_eq!((second.name, second.from, second.to), ("logs.db", LOGS.version, LOGS.version + 1));
    for upgrade in [&first, &second] {
        assert!(upgrade.kept.as_ref().unwrap().exists(), "{upgrade:?}");
    }
    let again = upgrade_to(folder.path(), &main, &logs).unwrap();
    assert!(again.iter().all(|upgrade| upgrade.from == upgrade.to && upgrade.kept.is_none()), "{again:?}");
    // The former version names what is too new, and changes nothing.
    let refused = text(&upgrade(folder.path()).unwrap_err());
    assert!(refused.contains("main.db") && refused.contains("mayday restore"), "{refused}");
}

#[test]
fn a_failure_in_the_second_database_leaves_both_as_they_were() {
    let folder = stopped();
    let main = next(&MAIN, ADDED);
    let said = text(
        &upgrade_to(folder.path(), &main, &next(&LOGS, "select no_such_column from origin;")).unwrap_err(),
    );
    assert!(said.contains("is again as it was"), "{said}");
    let unchanged = upgrade(folder.path()).unwrap();
    assert!(unchanged.iter().all(|upgrade| upgrade.from == upgrade.to), "{unchanged:?}");
    // A version whose steps are right has everything to do again.
    let [first, second] = upgrade_to(folder.path(), &main, &next(&LOGS, ADDED)).unwrap();
    assert_eq!((first.from, second.from), (MAIN.version, LOGS.version));
}

#[test]
fn a_copy_that_cannot_be_put_back_is_named() {
    let folder = stopped();
    let main = next(&MAIN, ADDED);
    let kept = folder.path().join(format!("main.v{}.db", MAIN.version));
    let first = Upgrade { name: "main.db", from: 1, to: main.version, kept: Some(kept.clone()) };
    let said = text(&undo(&Error::internal("the cause"), &first, folder.path()));
    assert!(said.starts_with("the cause. ") && said.contains(kept.to_str().unwrap()), "{said}");
}

#[test]
fn a_failure_in_the_first_database_leaves_both_as_they_were() {
    let folder = stopped();
    let main = next(&MAIN, "select no_such_column from origin;");
    let said = text(&upgrade_to(folder.path(), &main, &next(&LOGS, ADDED)).unwrap_err());
    assert!(said.contains("The file is unchanged"), "{said}");
    let unchanged = upgrade(folder.path()).unwrap();
    assert!(unchanged.iter().all(|upgrade| upgrade.from == upgrade.to), "{unchanged:?}");
}

#[test]
fn a_missing_database_is_reported_before_the_other_is_changed() {
    let folder = stopped();
    std::fs::remove_file(folder.path().join("logs.db")).unwrap();
    let said = text(&upgrade_to(folder.path(), &next(&MAIN, ADDED), &LOGS).unwrap_err());
    assert!(said.contains("logs.db is missing"), "{said}");
    assert!(!folder.path().join(format!("main.v{}.db", MAIN.version)).exists());
}
