use super::DebugId;

const TEXT: &str = "0f3c2d1e-4b5a-4978-8f69-a0b1c2d3e4f5";

#[test]
fn an_id_is_parsed_in_every_notation() {
    let id = DebugId::parse(TEXT).unwrap();
    assert_eq!(id.to_string(), TEXT);
    assert_eq!(DebugId::parse(&TEXT.to_uppercase()), Some(id));
    assert_eq!(DebugId::parse(&TEXT.replace('-', "")), Some(id));
    assert_eq!(serde_json::from_str::<DebugId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
}

#[test]
fn other_texts_are_not_ids() {
    for text in ["", "x", &TEXT[1..], &format!("{TEXT}0"), &TEXT.replace('0', "g"), &"-".repeat(40)] {
        assert_eq!(DebugId::parse(text), None, "{text}");
    }
}

#[test]
fn the_same_contents_have_the_same_id() {
    assert_eq!(DebugId::of(&[b"script", b"map"]), DebugId::of(&[b"script", b"map"]));
    assert_ne!(DebugId::of(&[b"script", b"map"]), DebugId::of(&[b"script", b"other"]));
}
