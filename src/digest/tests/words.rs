//! Searches for words in the texts held in memory, while the digest changes them.

use super::*;
use crate::issues::sql::{Filter, Sort, list};
use crate::store::Page;

const WORDS: [&str; 4] = ["ant", "bee", "cat", "dog"];

/// The numbers of the issues whose texts contain a word.
fn found(c: &Connection, texts: &Texts, word: &str) -> Vec<String> {
    let mut filter = Filter::of_project(PROJECT);
    filter.query(word, None).unwrap();
    let page = (Sort::FirstSeen, Page { limit: 100, offset: 0 });
    let (issues, total) = list(c, texts, &filter, page, Timestamp::now()).unwrap();
    assert_eq!(issues.len() as i64, total);
    issues.into_iter().map(|issue| issue.short_id).collect()
}

#[test]
fn the_texts_in_memory_equal_the_stored_ones() {
    let bench = bench();
    let mut worker = bench.worker();
    let texts = worker.parts.texts.clone();
    let mut state = 7_u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let old = bench.main.readers.dedicated().unwrap();
    let moment = |statements: &str| old.execute_batch(statements).unwrap();
    moment("begin; select 1 from digest");
    let mut changes = 0;
    for _ in 0..150 {
        for _ in 0..below(5) {
            let word = WORDS[below(4) as usize];
            bench.add(&json!({"fingerprint": [format!("{}", below(6))], "message": word}));
            changes += 1;
        }
        // A reader of an older state must not corrupt the cache.
        if below(3) == 0 {
            found(&old, &texts, "ant");
        }
        while worker.step().unwrap() {}
        if below(4) == 0 {
            found(&old, &texts, "bee");
            moment("commit; begin; select 1 from digest");
        }
        if below(2) == 0 {
            let judge = |c: &Connection| {
                for word in WORDS {
                    assert_eq!(
                        found(c, &texts, word),
                        found(c, &Texts::default(), word),
                        "{word} after {changes}"
                    );
                }
                Ok(())
            };
            bench.main.readers.read_blocking(judge).unwrap();
        }
    }
    assert!(changes > 200, "{changes}");
}

#[test]
fn deleted_issues_are_not_found() {
    let bench = bench();
    let mut worker = bench.worker();
    let texts = worker.parts.texts.clone();
    WORDS.iter().for_each(|word| bench.add(&json!({"message": format!("{word} all")})));
    while worker.step().unwrap() {}
    let found = |word: &str| bench.main.readers.read_blocking(|c| Ok(found(c, &texts, word).len())).unwrap();
    assert_eq!((found("all"), found("bee")), (4, 1));
    let id = crate::ids::IssueId(bench.count("select id from issues where message = 'bee all'"));
    bench.main.write_blocking(move |tx| crate::issues::sql::delete(tx, PROJECT, id)).unwrap();
    assert_eq!((found("all"), found("bee")), (3, 0));
}
