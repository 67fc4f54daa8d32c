use super::*;

fn raw(json: &str) -> &RawValue {
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_small_picture_costs_little_even_after_a_large_one() {
    let children: Vec<String> =
        (2..10_000).map(|id| format!(r#"{{"type":3,"id":{id},"textContent":"a"}}"#)).collect();
    let large = format!(r#"{{"type":2,"id":1,"tagName":"p","childNodes":[{}]}}"#, children.join(","));
    let mut page = Page::new();
    page.draw(raw(&large));
    assert!(page.nodes.capacity() > 9_000);
    page.draw(raw(r#"{"type":2,"id":1,"tagName":"p"}"#));
    assert!(page.nodes.capacity() < 100, "the next picture would empty room for {}", page.nodes.capacity());
}

/// A page with one element.
fn page_of(element: &str) -> Page {
    let mut page = Page::new();
    page.draw(raw(element));
    page
}

#[test]
fn names_are_short_and_leave_out_what_is_masked() {
    let text = |words: &str| format!(r#"{{"type":3,"id":2,"textContent":"{words}"}}"#);
    let named = |words: &str| {
        let element = format!(r#"{{"type":2,"id":1,"tagName":"p","childNodes":[{}]}}"#, text(words));
        page_of(&element).name(1)
    };
    assert_eq!(named("…"), "p \"…\"");
    assert_eq!(named("** *"), "p");
    assert_eq!(named(&"* *".repeat(TEXT_MAX)), "p", "it was cut");
    assert_eq!(named(&"choice ".repeat(50)).chars().count(), "p \"\"".len() + NAME_MAX);
}

#[test]
fn what_was_entered_is_only_told_by_its_length() {
    let text = r#"{"type":3,"id":2,"textContent":"my secret"}"#;
    let element = format!(r#"{{"type":2,"id":1,"tagName":"textarea","childNodes":[{text}]}}"#);
    let mut page = page_of(&element);
    assert_eq!((page.name(1).as_str(), &*page.nodes[&2].words), ("textarea", "** ******"));
    page.set(2, "another", &mut Vec::new());
    assert_eq!(&*page.nodes[&2].words, "*******");
}

#[test]
fn a_page_says_whether_all_of_it_is_known() {
    let picture = |nodes: usize| {
        let texts: Vec<String> = (2..nodes + 2).map(|id| format!(r#"{{"type":3,"id":{id}}}"#)).collect();
        format!(r#"{{"type":0,"id":1,"childNodes":[{}]}}"#, texts.join(","))
    };
    let mut page = Page::new();
    for (nodes, is_cut) in [(NODES_MAX + 1, true), (2, false)] {
        page.draw(raw(&picture(nodes)));
        assert_eq!(page.is_cut, is_cut, "{nodes}");
    }
}
