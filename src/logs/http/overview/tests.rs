use super::*;

fn counted(counts: &[(&str, u64)], is_cut: bool) -> Counts {
    let by_text = counts.iter().map(|(text, count)| ((*text).to_owned(), *count)).collect();
    Counts { by_text, entries: 9, is_cut }
}

#[test]
fn of_too_many_fields_the_most_frequent_are_listed_in_order() {
    let names = |number: u64| format!("attributes.{number:04}");
    let mut counts: Vec<(String, u64)> = (0..1_000).map(|number| (names(number), 2)).collect();
    counts.extend([("a".to_owned(), 1), ("level".to_owned(), 3)]);
    let counts: Vec<_> = counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    let list = LogFields::names(counted(&counts, false));
    assert_eq!((list.fields.len(), list.total, list.has_more, list.is_complete), (1_000, 1_002, true, true));
    assert!(list.fields.is_sorted() && list.fields.iter().eq(list.counts.keys()));
    // Neither the rarest, nor the last of those that are equally frequent.
    assert_eq!((list.counts.get("a"), list.counts.get(&names(999))), (None, None));
    assert_eq!((list.counts["level"], list.counts[&names(998)]), (3, 2));
}

#[test]
fn values_are_paged_and_a_count_that_was_cut_is_not_complete() {
    let counts = [("a", 1), ("b", 2), ("c", 2)];
    let page = LogFields::values("user".to_owned(), counted(&counts, true), (2, 0));
    let values: Vec<_> = page.values.iter().map(|value| (value.value.as_str(), value.count)).collect();
    assert_eq!(values, [("b", 2), ("c", 2)]);
    assert_eq!((page.total, page.has_more, page.is_complete), (3, true, false));
    let rest = LogFields::values("user".to_owned(), counted(&counts, false), (2, 2));
    assert_eq!((rest.values.len(), rest.has_more, rest.is_complete), (1, false, true));
}
