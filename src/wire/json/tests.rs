use super::*;

#[test]
fn a_tree_has_200_000_values_at_most() {
    let wide = |values: usize| format!("[{}0]", "0,".repeat(values - 2));
    assert!(Json::parse(wide(VALUES_MAX).as_bytes()).is_ok());
    assert!(matches!(Json::parse(wide(VALUES_MAX + 1).as_bytes()), Err(ParseError::TooMany)));
    let nested = format!("[{}0]", "[0],".repeat(VALUES_MAX / 2));
    assert!(matches!(Json::parse(nested.as_bytes()), Err(ParseError::TooMany)));
    assert!(ParseError::TooMany.to_string().contains(&VALUES_MAX.to_string()));
}

#[test]
fn a_limited_number_of_items_is_returned_unparsed() {
    let found = shallow::items(br#" [{"a": 1}, 5 ,[[]]] "#, 3).unwrap().unwrap();
    assert!(!found.more);
    assert_eq!(found.items.iter().map(|item| item.get()).collect::<Vec<_>>(), ["{\"a\": 1}", "5", "[[]]"]);
    let found = shallow::items(b"[1,2,3 and then no JSON", 2).unwrap().unwrap();
    assert!(found.more && found.items.len() == 2);
    assert!(shallow::items(b"{}", 2).unwrap().is_none());
    for broken in [&b"[1"[..], b"[1] 2", b"[nul]", b"[\"\xff\"]"] {
        assert!(shallow::items(broken, 2).is_err(), "{broken:?}");
    }
}

#[test]
fn a_field_is_found_among_others() {
    let find = |text: &'static str| shallow::text_field(text.as_bytes(), "k").unwrap();
    assert_eq!(find(r#" {"a": [{"k": "x"}], "k": "1", "b": {}} "#).as_deref(), Some("1"));
    assert_eq!(find(r#"{"k": 5, "k": "\u0031"}"#).as_deref(), Some("1"), "the last counts");
    for none in [r#"{"k": "1", "k": null}"#, r#"{"k": ["1"]}"#, "{}", "5", "[]", r#""k""#] {
        assert_eq!(find(none), None, "{none}");
    }
    assert!(shallow::text_field(b"{\"k\": \"1\"", "k").is_err());
    assert!(shallow::text_field(b"{\"k\": \"1\"} 5", "k").is_err());
}
