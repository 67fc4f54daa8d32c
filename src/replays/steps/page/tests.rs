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
