//! Queries at the limits of what is accepted.

use super::random::{EPOCH, PROJECTS, Random};
use super::{Filled, Order, Scope, is_same_context, is_same_page, place};
use crate::event::log_batch::Plain;
use crate::event::log_batch::StoredBatch;
use crate::event::log_entry::Entry;
use crate::event::log_entry::tests::plain;
use crate::ids::ProjectId;
use crate::search::EntryId;
use crate::search::facts::{PATH_MAX, VALUE_MAX};
use crate::search::lookup::in_order;
use crate::search::nearest::{Docs, Nearest};
use crate::search::query::parse;
use crate::time::Timestamp;
use std::collections::BTreeSet;

fn all(query: &str) -> Scope {
    let (start, end) = (Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX));
    Scope { project: ProjectId(PROJECTS[0]), start, end, query: parse(query).unwrap() }
}

fn batch(id: i64, entries: &[Entry<'_>]) -> StoredBatch {
    StoredBatch {
        id,
        project: ProjectId(PROJECTS[0]),
        received_at: Timestamp::from_millis(0),
        plain: Plain::new("production", None, entries).unwrap(),
    }
}

/// Any failure in a search counts as damage of the index, so no query may fail.
#[test]
fn no_query_is_taken_for_damage() {
    let mut filled = Filled::new();
    let entry = Entry { attributes: Some(r#"{"a":"x\ny"}"#.into()), ..plain("disk full\nnow") };
    filled.add(batch(1, &[entry]));
    filled.commit();
    let long = |text: &str, bytes: usize| text.repeat(bytes / text.len());
    for query in [
        format!("attr.{}:{}*", long("p", PATH_MAX), long("v", VALUE_MAX)),
        format!("attr.{}:{}*", long("é", PATH_MAX), long("東", VALUE_MAX)),
        format!("attr.{}:\"{}\"*", long(".*", PATH_MAX), long("[^\\]", VALUE_MAX)),
        format!("{}*", long("😀é", 400)),
        format!("\"{}\"*", long("a ", 1_900)),
        long("a* ", 300),
        long("level:e* ", 900),
        long("-a* OR ", 700),
        "attr.a:\u{0}*".to_owned(),
        "attr.\u{0}:x* attr.a\u{0}b:x".to_owned(),
        "\u{feff}\u{202e}* \u{10ffff}* İ* ǅ*".to_owned(),
        "attr.a:İ* attr.a:\u{10ffff}*".to_owned(),
    ] {
        let scope = all(&query);
        let (_, total) = filled.view.page(&scope, Order::Newest, 0, 10).unwrap();
        assert!(filled.oracle.found(&scope).len() as u64 == total, "{query}");
        filled.view.names(&scope, 10).unwrap();
    }
    assert_eq!(filled.view.page(&all("attr.a:x* disk"), Order::Newest, 0, 10).unwrap().1, 1);
}

/// More entries than are kept separately at the border of a page.
#[test]
fn paging_through_entries_of_one_moment_shows_each_once() {
    let mut filled = Filled::new();
    let entries: Vec<Entry<'_>> =
        (0..100).map(|_| Entry { timestamp: EPOCH * 1_000, ..plain("the same") }).collect();
    for id in 1..=30 {
        filled.add(batch(id, &entries));
        if id % 3 == 0 {
            filled.commit();
        }
    }
    for scope in [all(""), all("same")] {
        for merged in [false, true] {
            if merged {
                filled.merge();
            }
            for order in [Order::Newest, Order::Oldest] {
                let page = |offset| filled.view.page(&scope, order, offset, 100).unwrap().0;
                let pages: Vec<_> = (0..30).flat_map(|number| page(number * 100)).collect();
                let different: BTreeSet<_> = pages.iter().collect();
                assert_eq!((pages.len(), different.len()), (3_000, 3_000), "{order:?}");
                is_same_page(&filled, &scope, order, 1_450, 100);
            }
        }
        is_same_context(&filled, &scope, &mut Random(6));
    }
}

/// Entries with one time, in batches of a hundred with ids starting at `from`; every third contains `third`.
fn fill_moment(filled: &mut Filled, from: i64, batches: i64) {
    for id in from..from + batches {
        let message = |number: i64| if (id * 100 + number) % 3 == 0 { "the same third" } else { "the same" };
        let entry = |number| Entry { timestamp: EPOCH * 1_000, ..plain(message(number)) };
        filled.add(batch(id, &(0..100).map(entry).collect::<Vec<_>>()));
    }
}

/// Every entry of a scope, page by page, is in the oracle's order.
fn walk(filled: &Filled, scope: &Scope, order: Order) {
    let mut expected: Vec<_> = filled.oracle.committed(filled.waiting.len(), scope);
    if order == Order::Newest {
        expected.reverse();
    }
    let mut walked = Vec::new();
    loop {
        let (page, total) = filled.view.page(scope, order, walked.len(), 1_000).unwrap();
        assert_eq!(total, expected.len() as u64, "{order:?}");
        if page.is_empty() {
            break;
        }
        walked.extend(page);
    }
    assert!(walked == expected, "{order:?}, {scope:?}");
}

/// 25,000 entries have one time, in many batches and several segments, beside others that wait for a commit.
#[test]
fn paging_through_a_large_moment_shows_each_entry_once_and_in_order() {
    let mut filled = Filled::new();
    for part in 0..10 {
        fill_moment(&mut filled, 1 + part * 25, 25);
        filled.commit();
    }
    assert!(filled.view.segments() > 1);
    // With the same time, and not visible before their commit.
    fill_moment(&mut filled, 251, 3);
    for merged in [false, true] {
        if merged {
            filled.commit();
            filled.merge();
        }
        for scope in [all(""), all("third")] {
            walk(&filled, &scope, Order::Newest);
            walk(&filled, &scope, Order::Oldest);
        }
    }
    is_same_context(&filled, &all("third"), &mut Random(8));
    let random = &mut Random(9);
    for _ in 0..10 {
        let offset = random.below(25_000);
        is_same_page(&filled, &all(""), Order::Newest, offset, 100);
        is_same_page(&filled, &all("third"), Order::Newest, offset / 3, 100);
    }
}

/// However many entries have one time, few are read for a page.
#[test]
fn a_page_of_a_large_moment_reads_few_of_its_documents() {
    let mut filled = Filled::new();
    for part in 0..5 {
        fill_moment(&mut filled, 1 + part * 20, 20);
        filled.commit();
    }
    let project = ProjectId(PROJECTS[0]);
    let (start, end) = (Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX));
    let at = (place(project, Timestamp::from_micros(EPOCH * 1_000)), EntryId::new(50, 0));
    for merged in [false, true] {
        if merged {
            filled.merge();
        }
        for order in [Order::Newest, Order::Oldest] {
            for behind in [None, Some(at)] {
                let mut nearest = Nearest::new(order, 10, behind);
                for (_, span) in in_order(&filled.view.spans(project, start, end), order) {
                    nearest.look(span, Docs::Run(span.docs.clone()));
                }
                let read = nearest.read;
                assert_eq!(nearest.into_sorted().len(), 10);
                // A page and a block of each segment, or of each former segment after a merge.
                assert!(read < 1_000, "{read} of 10,000, {order:?}, merged: {merged}, behind: {behind:?}");
            }
        }
    }
}

/// Times within a key's moment are distinguished.
#[test]
fn a_range_begins_and_ends_within_a_millisecond() {
    let mut filled = Filled::new();
    let first = EPOCH * 1_000;
    for id in 1..=4 {
        // In a different order in each batch, so that merging mixes them.
        let entry = |number: i64| Entry { timestamp: first + number * id % 7, ..plain("the same") };
        filled.add(batch(id, &(0..7).map(entry).collect::<Vec<_>>()));
        filled.commit();
    }
    for merged in [false, true] {
        if merged {
            filled.merge();
        }
        for (start, end) in [(0, 6), (2, 4), (3, 3), (-1, 0), (6, 9), (7, 9), (-5, -1)] {
            let [start, end] = [start, end].map(|micros| Timestamp::from_micros(first + micros));
            for query in ["", "same"] {
                let scope = Scope { start, end, ..all(query) };
                for limit in [0, 1, 5, 100] {
                    is_same_page(&filled, &scope, Order::Newest, 0, limit);
                    is_same_page(&filled, &scope, Order::Oldest, 1, limit);
                }
                super::are_same_counts(&filled, &scope);
            }
        }
        is_same_context(&filled, &all(""), &mut Random(3));
    }
}

/// Other projects have terms in the same segments.
#[test]
fn the_fields_of_other_projects_are_neither_listed_nor_counted() {
    let mut filled = Filled::new();
    let with = |json: &'static str| Entry { attributes: Some(json.into()), ..plain("x") };
    let other = StoredBatch { project: ProjectId(PROJECTS[1]), ..batch(1, &[with(r#"{"secret":1,"a":2}"#)]) };
    filled.add(other);
    filled.add(batch(2, &[with(r#"{"secretary":1,"ab":2}"#), with(r#"{"ab":[1,{"c":2},3]}"#)]));
    filled.commit();
    let names = filled.view.names(&all(""), 1_000).unwrap().by_text;
    let mut names: Vec<_> = names.into_iter().filter(|(name, _)| name.starts_with("attributes.")).collect();
    names.sort();
    let counted = [("attributes.ab", 2), ("attributes.ab.c", 1), ("attributes.secretary", 1)];
    assert_eq!(names, counted.map(|(name, count)| (name.to_owned(), count)));
}

#[test]
fn counts_say_when_a_segment_has_more_than_are_examined() {
    let mut filled = Filled::new();
    let json = |number: i64| format!(r#"{{"n":{number}}}"#);
    let entry = |number| Entry { attributes: Some(json(number).into()), ..plain("x") };
    filled.add(batch(1, &(0..9).map(entry).collect::<Vec<_>>()));
    filled.commit();
    let values = |most| filled.view.values(&all(""), "attributes.n", most).unwrap();
    assert_eq!((values(8).is_cut, values(8).by_text.len()), (true, 8));
    assert_eq!((values(9).is_cut, values(9).by_text.len()), (false, 9));
    // The environment and the attribute; every entry has a level and a template.
    let names = |most| filled.view.names(&all("x"), most).unwrap();
    assert_eq!((names(0).is_cut, names(0).by_text.len()), (true, 2));
    assert_eq!((names(1).is_cut, names(1).by_text.len()), (false, 4));
    assert!(names(1).by_text.values().all(|count| *count == 9));
}

/// Only the first sets of names are terms, and no long ones.
#[test]
fn fields_are_counted_whether_their_names_are_terms_together_or_alone() {
    let mut filled = Filled::new();
    let with = |json: String| Entry { attributes: Some(json.into()), ..plain("x") };
    let each = |number: usize| with(format!(r#"{{"common":1,"n{number}":1}}"#));
    let many: Vec<String> = (0..30).map(|number| format!(r#""{number:02}{}":1"#, "a".repeat(90))).collect();
    let long = with(format!(r#"{{"common":1,{}}}"#, many.join(",")));
    filled.add(batch(1, &(0..50).map(each).chain([long.clone(), long]).collect::<Vec<_>>()));
    filled.commit();
    let names = filled.view.names(&all(""), 1_000).unwrap();
    assert!(!names.is_cut);
    let count = |name: &str| names.by_text[&format!("attributes.{name}")];
    assert_eq!((count("common"), count("n0"), count("n49")), (52, 1, 1));
    assert_eq!((count(&format!("29{}", "a".repeat(90))), names.by_text["environment"]), (2, 52));
    assert_eq!(names.by_text.len(), 3 + 1 + 50 + 30);
}

/// A term's own number of documents counts those that are deleted.
#[test]
fn deleted_entries_of_a_segment_of_one_project_are_not_counted() {
    let mut filled = Filled::new();
    let at = |millis: i64| Entry {
        timestamp: (EPOCH + millis) * 1_000,
        attributes: Some(r#"{"a":1}"#.into()),
        ..plain("x")
    };
    filled.add(batch(1, &[at(2)]));
    filled.add(batch(2, &[at(1), at(3)]));
    filled.commit();
    let counts = |filled: &Filled| {
        let names = filled.view.names(&all(""), 10).unwrap().by_text;
        let values = filled.view.values(&all(""), "attributes.a", 10).unwrap().by_text;
        (names["attributes.a"], names["level"], values["1"])
    };
    assert_eq!(counts(&filled), (3, 3, 3));
    filled.open.delete_through(ProjectId(PROJECTS[0]), 1).unwrap();
    filled.commit();
    assert_eq!(counts(&filled), (2, 2, 2));
}
