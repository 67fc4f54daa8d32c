use super::*;

fn seal(key: &str) -> Seal {
    Seal::new(&Secret::new(key))
}

fn place(row: &str) -> SealContext<'_> {
    SealContext { table: "deliveries", column: "payload", row }
}

#[test]
fn a_sealed_value_opens_in_its_place_and_reveals_nothing() {
    let seal = seal("key");
    let sealed = seal.seal(&place("a"), b"a link").unwrap();
    assert_eq!(seal.open(&place("a"), &sealed).unwrap(), b"a link");
    assert!(!sealed.windows(4).any(|window| window == b"link"));
    assert_ne!(sealed, seal.seal(&place("a"), b"a link").unwrap());
    assert_eq!(seal.open(&place(""), &seal.seal(&place(""), b"").unwrap()).unwrap(), b"");
}

#[test]
fn swapped_values_do_not_open() {
    let seal = seal("key");
    let sealed = seal.seal(&place("a"), b"a link").unwrap();
    let elsewhere = [
        place("b"),
        SealContext { table: "deliveries", column: "subject", row: "a" },
        SealContext { table: "deliveriespayload", column: "", row: "a" },
    ];
    for place in elsewhere {
        assert!(seal.open(&place, &sealed).is_err(), "{place:?}");
    }
}

#[test]
fn a_wrong_key_and_damage_are_distinguished() {
    let sealed = seal("key").seal(&place("a"), b"a link").unwrap();
    let cause = |seal: &Seal, sealed: &[u8]| match seal.open(&place("a"), sealed) {
        Err(Error::Internal(cause)) => cause.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(cause(&seal("other"), &sealed).contains("another CLOUD_SECRET_KEY"));
    for byte in HEAD..sealed.len() {
        let mut damaged = sealed.clone();
        damaged[byte] ^= 1;
        assert!(cause(&seal("key"), &damaged).contains("damaged"), "{byte}");
    }
    for end in 0..=HEAD {
        seal("key").open(&place("a"), &sealed[..end]).unwrap_err();
    }
}
