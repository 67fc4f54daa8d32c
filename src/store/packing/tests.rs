use super::*;

/// Events of one application.
fn event(number: usize) -> Vec<u8> {
    let id = blake3::hash(&number.to_le_bytes()).to_hex();
    let route = ["basket", "invoice", "voucher"][number % 3];
    format!(
        r#"{{"event_id":"{id}","level":"error","environment":"production","url":"https://shop.example.com/{route}/{number}","exception":{{"type":"TypeError","message":"undefined is not a function","stack":"at render (https://shop.example.com/main.js:1:{})"}}}}"#,
        number * 37 % 5_000
    )
    .into_bytes()
}

fn trained() -> Arc<Dictionary> {
    Arc::new(Dictionary::train(&(0..400).map(event).collect::<Vec<_>>()).unwrap())
}

#[test]
fn data_packed_with_or_without_a_dictionary_is_unpacked_unchanged() {
    let packer = Packer::default();
    let before = packer.pack(&event(1_000)).unwrap();
    let dictionary = trained();
    packer.use_from_now(Arc::new(Dictionary::new(dictionary.bytes().to_vec()).unwrap()));
    let after = packer.pack(&event(1_000)).unwrap();
    assert!(after.len() * 3 < before.len() * 2, "{} of {}", after.len(), before.len());
    for packed in [&before, &after] {
        assert_eq!(unpack(packed, 1 << 20).unwrap(), event(1_000));
        assert!(unpack(packed, 100).is_err(), "larger than asked for");
    }
    assert_eq!(unpack(&packer.pack(b"").unwrap(), 0).unwrap(), b"");
}

#[test]
fn damage_and_unknown_dictionaries_are_errors() {
    let dictionary = trained();
    let unknown = Dictionary::train(&(0..300).map(|n| event(n * 7 + 1)).collect::<Vec<_>>()).unwrap();
    assert_ne!(dictionary.id(), unknown.id());
    let packed = unknown.pack(&event(5)).unwrap();
    let text = match unpack(&packed, 1 << 20) {
        Err(Error::Internal(cause)) => cause.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(text.contains("not in this data directory"), "{text}");
    Packer::know(dictionary.clone());
    let packed = dictionary.pack(&event(5)).unwrap();
    for cut in 1..packed.len() {
        assert!(unpack(&packed[..cut], 1 << 20).is_err(), "cut at {cut}");
    }
    assert!(Dictionary::new(b"no dictionary".to_vec()).is_err());
    assert!(Dictionary::train(&[event(1)]).is_err());
}
