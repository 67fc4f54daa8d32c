use super::*;
use std::collections::HashSet;

#[test]
fn every_id_is_returned_exactly() {
    let (hex, uuid) = ("0123456789abcdef00ff10a0b0c0d0e0", "01234567-89ab-cdef-00ff-10a0b0c0d0e0");
    let long = "é".repeat(64);
    let odd = "0123-4567-89abcdef-00ff10a0b0c0d0e0x";
    let mut ids = vec![hex, uuid, "a", "fifteen letters", "sixteen letters.", "\u{1}", "\0", &long, odd];
    let (upper, broken) = (hex.to_uppercase(), uuid.replace("-00ff", "f-0ff"));
    ids.extend([upper.as_str(), &broken, &hex[1..], &uuid[1..], "\u{2}\0fourteen long"]);
    let mut seen = HashSet::new();
    for id in ids {
        let stored = encode(id);
        assert_eq!(decode(&stored), id);
        assert!(seen.insert(stored), "{id:?} has the form of another");
    }
    assert_eq!((encode(hex).len(), encode(uuid).len()), (16, 17));
}

#[test]
fn stored_forms_never_collide() {
    let texts = (0..=128).flat_map(|length| ["a".repeat(length), "z".repeat(length), "\0".repeat(length)]);
    let forms: HashSet<_> = texts.clone().map(|text| encode(&text)).collect();
    assert_eq!(forms.len(), 129 * 3 - 2, "the empty text is one");
    texts.for_each(|text| assert_eq!(decode(&encode(&text)), text));
}

#[test]
fn unknown_bytes_do_not_panic() {
    for stored in [&[][..], &[1], &[1, 2, 3], &[2], &[2, 0], &[255; 16], &[9, 200]] {
        decode(stored);
    }
}
