//! Queries that are too large or invalid never cause a 5xx.

use super::{entry, read, store, total, with};
use crate::support::project::encoded;
use crate::support::{Project, json};

#[test]
fn a_query_has_2000_characters_and_100_terms() {
    let project = Project::new();
    let get =
        |search: &str| project.owner.get(&project.path(&format!("/logs?search={}", encoded(search)))).send();
    get(&"x".repeat(10_000)).refuse(422, "10000");
    get(&"é".repeat(2_001)).refuse(422, "2001");
    get(&"é".repeat(2_000)).expect(200);
    get(&"a ".repeat(101)).refuse(422, "100 terms");
    get(&"a ".repeat(100)).expect(200);
}

#[test]
fn any_query_gets_an_answer_and_a_pasted_line_finds_its_entry() {
    let project = Project::new();
    let lines = [
        "connect() failed (111: Connection refused) while reading \"upstream\"",
        "http://x/y?a=b&c=d [error] *1 {\"k\": \"v\"}",
        "^.*(a|b)+$ /regex/i \\d{3,}",
        "level: error: foo:bar a:b:c -- --x !important",
    ];
    let logs: Vec<_> = (0..).zip(lines).map(|(at, line)| entry(at, line)).collect();
    store(&project, &logs);
    for line in lines {
        let found = super::found(&project, line);
        assert!(
            found.iter().any(|found| found == line) || line.contains("--") || line.contains('|'),
            "{line}"
        );
    }
    for search in [
        "OR",
        "AND",
        "NOT",
        "-",
        "\"",
        "(",
        ")",
        "((((",
        "))))",
        "*",
        "**",
        "*x",
        "*x*",
        "?",
        "\\",
        "/.*/",
        "[a-z]+",
        "a{1000000}",
        "(a+)+$",
        ".*.*.*.*",
        "level:",
        ":x",
        "level:*",
        "attr.:x",
        "attr.a:",
        "\u{0}",
        "\u{fffd}",
        "\"\"",
        "a\"",
        "-\"",
        "NOT NOT",
        "OR OR",
        "a OR",
        "AND a",
        "(a OR (b AND",
        "level:(error)",
        "trace:\"",
        "||",
        "&&",
        "!",
        "~",
        "^2",
        "a~2",
        "a^3",
        "{a TO b}",
        "[1 TO 2]",
        "_exists_:x",
        "*:*",
        "attr.a:\\x00*",
        "é*",
        "😀",
    ] {
        let answer = project.owner.get(&project.path(&format!("/logs?search={}", encoded(search)))).send();
        answer.expect(200);
    }
    // None of these queries was taken for damage of the index.
    assert_eq!(total(&project, ""), 4);
    assert_eq!(read(&project, "")["rebuilding"], false);
    assert!(!project.world.server.output().contains("is being rebuilt"));
}

#[test]
fn long_prefixes_are_not_taken_for_damage() {
    let project = Project::new();
    store(&project, &[with(entry(0, "x"), &json!({"attributes": {"a": "b"}}))]);
    for search in [
        format!("attr.{}:{}*", "p".repeat(200), "v".repeat(1_000)),
        format!("attr.{}:{}*", "é".repeat(100), "東".repeat(500)),
        format!("{}*", "x".repeat(1_900)),
        "level:e* ".repeat(99),
        "-a* ".repeat(99),
    ] {
        for route in ["/logs", "/logs/histogram", "/logs/templates", "/logs/fields", "/logs/export"] {
            let path = project.path(&format!("{route}?search={}", encoded(&search)));
            let answer = project.owner.get(&path).send();
            assert_eq!(answer.status(), 200, "{route}: {}", answer.text());
        }
    }
    assert!(!project.world.server.output().contains("is being rebuilt"));
}

#[test]
fn limits_of_pages_are_named() {
    let project = Project::new();
    for route in ["/logs", "/logs/templates", "/logs/fields"] {
        let get = |query: &str| project.owner.get(&project.path(&format!("{route}?{query}"))).send();
        for wrong in ["0", "1001", "-1", "x", "1.5", "%00", "99999999999999999999"] {
            get(&format!("limit={wrong}")).refuse(422, "limit");
        }
        for wrong in ["100001", "-1", "x", "1e3"] {
            get(&format!("offset={wrong}")).refuse(422, "offset");
        }
        for fine in ["limit=1", "limit=1000", "offset=0", "offset=100000&limit=1000"] {
            get(fine).expect(200);
        }
        get("search=%ff%fe").expect(200);
    }
    let get = |path: &str| project.owner.get(&project.path(path)).send();
    get("/logs/histogram?interval=0").refuse(422, "interval");
    get("/logs/histogram?interval=1").refuse(422, "500 intervals");
    get("/logs/export?limit=1000001").refuse(422, "limit");
    get("/logs/context").refuse(422, "id");
    get("/logs/context?id=x").refuse(422, "id");
    get("/logs/context?id=-1").refuse(422, "id");
    get("/logs/context?id=1&before=501").refuse(422, "before");
    get("/logs/context?id=1&after=-1").refuse(422, "after");
    get("/logs/context?id=9223372036854775807").refuse(404, "");
    get("/logs/fields?field=nonsense").refuse(422, "field");
    get("/logs/tail?levels=loud").refuse(422, "levels");
    get(&format!("/traces/{}/errors", "t".repeat(129))).refuse(422, "trace_id");
}
