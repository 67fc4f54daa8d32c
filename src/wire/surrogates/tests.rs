use super::*;

fn mended(body: &str) -> String {
    String::from_utf8(mend(Bytes::copy_from_slice(body.as_bytes())).to_vec()).unwrap()
}

#[test]
fn halves_become_the_replacement_character() {
    for (body, expected) in [
        (r#""\ud83d""#, r#""\ufffd""#),
        (r#""\uDE00x""#, r#""\ufffdx""#),
        (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
        (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
        (r#""\ud83d\n\ude00""#, r#""\ufffd\n\ufffd""#),
        (r#""\\\ud83d""#, r#""\\\ufffd""#),
    ] {
        assert_eq!(mended(body), expected);
        serde_json::from_str::<String>(expected).unwrap();
    }
}

#[test]
fn everything_else_stays() {
    for body in [
        r#""\ud83d\ude00\ud83d\ude00""#,
        r#""\\ud83d""#,
        r#""\\\\ud83d""#,
        r#""\u0041\ue000\ud7ff""#,
        r#""\ud8"#,
        r#""\u"#,
        r#""\udzzz""#,
        "\"😀\"",
        "",
    ] {
        assert_eq!(mended(body), body);
    }
}

#[test]
fn many_backslashes_take_no_longer_than_their_number() {
    let body = format!("\"{}\"", r"\\".repeat(500_000) + &r"\\u".repeat(100_000));
    let start = std::time::Instant::now();
    assert_eq!(mended(&body), body);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
