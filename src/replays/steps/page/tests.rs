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

#[test]
fn a_link_is_called_by_its_address_without_a_password_however_long() {
    let href = format!("https://ada:{}@shop.example/cart?token=1", "p".repeat(2 * TEXT_MAX));
    let link = format!(r#"{{"type":2,"id":1,"tagName":"a","attributes":{{"href":"{href}"}}}}"#);
    assert_eq!(page_of(&link).name(1), "a \"https://shop.example/cart\"");
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
fn of_what_is_added_where_nothing_is_known_only_the_length_is_told() {
    let mut page = page_of(r#"{"type":2,"id":1,"tagName":"p"}"#);
    page.add(404, None, raw(r#"{"type":3,"id":2,"textContent":"my secret"}"#), &mut Vec::new());
    assert_eq!(&*page.nodes[&2].words, "** ******");
    page.set(2, "another", &mut Vec::new());
    assert_eq!(&*page.nodes[&2].words, "*******");
}

/// An editor with a paragraph in which a link stands, after a heading.
fn editor(attributes: &str) -> Page {
    let text = |id: i64, words: &str| format!(r#"{{"type":3,"id":{id},"textContent":"{words}"}}"#);
    let element = |id: i64, tag: &str, attributes: &str, within: &str| {
        format!(
            r#"{{"type":2,"id":{id},"tagName":"{tag}","attributes":{{{attributes}}},"childNodes":[{within}]}}"#
        )
    };
    let link = element(5, "a", r#""href":"https://secret.example/","title":"secret""#, &text(6, "my link"));
    let paragraph = element(3, "p", "", &format!("{},{link}", text(4, "my secret")));
    let all = [element(7, "h1", "", &text(8, "Write")), element(2, "div", attributes, &paragraph)].join(",");
    page_of(&element(1, "body", "", &all))
}

#[test]
fn what_was_entered_into_an_editable_element_is_only_told_by_its_length() {
    for attributes in [
        r#""contenteditable":"","aria-label":"Comment""#,
        r#""contenteditable":"plaintext-only","aria-label":"Comment""#,
        r#""contenteditable":true,"aria-label":"Comment""#,
        r#""role":"textbox","contenteditable":"false","aria-label":"Comment""#,
    ] {
        let mut page = editor(attributes);
        assert_eq!(
            (&*page.nodes[&4].words, &*page.nodes[&6].words),
            ("** ******", "** ****"),
            "{attributes}"
        );
        assert_eq!([2, 3, 5].map(|id| page.name(id)), ["div \"Comment\"", "p", "a"], "{attributes}");
        assert_eq!(page.name(1), "body \"Write\"");
        let mut fresh = Vec::new();
        page.set(4, "another", &mut fresh);
        page.add(3, None, raw(r#"{"type":3,"id":9,"textContent":"and more"}"#), &mut fresh);
        assert_eq!(page.seen(&fresh), "", "{attributes}");
    }
    for attributes in ["", r#""contenteditable":"false""#, r#""contenteditable":false,"role":"main""#] {
        assert_eq!(&*editor(attributes).nodes[&4].words, "my secret", "{attributes}");
    }
}

#[test]
fn an_element_that_becomes_editable_tells_nothing_from_then_on() {
    let mut page = editor("");
    page.alter(2, raw(r#"{"class":"wide","contenteditable":null,"style":{"color":"red"}}"#));
    assert_eq!(page.name(5), "a \"my link\"");
    page.alter(2, raw(r#"{"contenteditable":"true"}"#));
    assert_eq!([2, 3, 5].map(|id| page.name(id)), ["div", "p", "a"]);
    page.alter(2, raw(r#"{"contenteditable":"false"}"#));
    page.set(4, "another", &mut Vec::new());
    assert_eq!(&*page.nodes[&4].words, "*******");
    assert_eq!(page.name(1), "body \"Write\"", "what is beside it stays");
}

/// Elements within each other, and texts in the last of them.
fn nested(elements: usize, texts: usize) -> String {
    let text = |id: usize| format!(r#"{{"type":3,"id":{id},"textContent":"my secret"}}"#);
    let texts: Vec<String> = (0..texts).map(|at| text(1_000 + at)).collect();
    let open = |id: usize| format!(r#"{{"type":2,"id":{id},"tagName":"p","childNodes":["#);
    let open: String = (1..=elements).map(open).collect();
    format!("{open}{}{}", texts.join(","), "]}".repeat(elements))
}

const EDITABLE: &str = r#"{"contenteditable":"true"}"#;

#[test]
fn what_is_entered_already_is_passed_over_when_an_element_around_it_becomes_editable() {
    let (elements, texts) = (50, 1_000);
    let mut page = page_of(&nested(elements, texts));
    let before = page.left;
    (1..=elements as i64).rev().for_each(|id| page.alter(id, raw(EDITABLE)));
    let once = texts * (LOOK + "my secret".len()) + elements * LOOK;
    let spent = before - page.left;
    assert!((once..2 * once).contains(&spent), "{spent} of {once} for each node once");
    assert!(page.nodes.values().all(|node| node.is_entered));
    assert_eq!(page.name(1), "p");
}

#[test]
fn of_a_page_with_too_much_in_an_editable_element_nothing_is_told() {
    let mut page = page_of(&nested(2, 100));
    page.left = 10 * LOOK;
    page.alter(1, raw(EDITABLE));
    assert!(page.is_cut && page.nodes.is_empty());
    assert_eq!(page.name(1), "something unknown");
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
