use super::*;
use crate::scrubbing::table;

/// The same numbers in every run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

const ALL: Patterns =
    Patterns { card_numbers: true, private_keys: true, tokens: true, named: true, users: true };

fn names() -> Names {
    Names::new(true, true, &[])
}

fn clean(text: &str) -> Option<u32> {
    ALL.clean(text, &names()).map(|(_, count)| count)
}

/// Parts of the table's texts with something in between.
fn mixtures(count: usize) -> impl Iterator<Item = String> {
    let glue = [
        "", " ", "\n", ",", "\"", "'", ":", "=", ": ", "&", "[", "]", "{", "}", "\\", "/", "@", "://", "-",
        "_",
    ];
    let texts: Vec<&str> = table::cases().map(|(text, _)| text).collect();
    let mut state = 7;
    let mut below = move |most: usize| next(&mut state) as usize % most;
    std::iter::repeat_with(move || {
        let mut mixture = String::new();
        for _ in 0..=below(4) {
            let text = texts[below(texts.len())];
            let from = below(2) * below(text.len());
            mixture
                .push_str(text.get(from..text.len() - below(2) * below(text.len() - from)).unwrap_or(text));
            mixture.push_str(glue[below(glue.len())]);
        }
        mixture
    })
    .take(count)
}

#[test]
fn sampling_every_13th_byte_finds_the_same_as_every_byte() {
    let pieces = [
        "4111111111111111",
        "4111 1111 1111 1111",
        "5500-0000-0000-0004",
        "12",
        "x",
        " ",
        "-",
        "340000000000009",
        ".",
        "7",
        "order ",
    ];
    let (mut state, mut cards) = (7, 0);
    for _ in 0..20_000 {
        let text: String =
            (0..next(&mut state) % 9).map(|_| pieces[next(&mut state) as usize % pieces.len()]).collect();
        let (mut quick, mut all) = (Vec::new(), Vec::new());
        cards::find(&text, &mut quick);
        cards::cards_within(text.as_bytes(), 0..text.len(), &mut all);
        assert_eq!(quick, all, "{text:?}");
        cards += all.len();
    }
    assert!(cards > 3_000, "{cards}");
}

#[test]
fn positions_are_those_of_the_bytes() {
    for text in mixtures(2_000) {
        let bytes = text.as_bytes();
        let is = |at: &usize| matches!(bytes[*at], b':' | b'=');
        let quick = positions::positions(bytes, |word| word.are(b':') | word.are(b'=')).filter(is);
        let all = (0..bytes.len()).filter(is);
        assert!(quick.eq(all), "{text:?}");
    }
}

#[test]
fn a_token_is_found_in_any_place() {
    for (head, _) in tokens::HEADS {
        let digits = "0123456789ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJ";
        let token =
            format!("{head}{}", &digits[..if head.starts_with('A') && head != "AIza" { 16 } else { 50 }]);
        for before in 0..20 {
            let text = format!("{}({token})", "x.y/".repeat(20).split_at(before).0);
            let left = text.replace(&token, "[Filtered]");
            assert_eq!(ALL.clean(&text, &names()), Some((left, 1)), "{text}");
        }
        // Some contain the prefix of another one.
        let is_of_another = head.trim_end_matches(['-', '_']).contains('_');
        assert!(is_of_another || clean(&format!("x{token}")).is_none(), "within a word: x{token}");
    }
}

#[test]
fn a_glance_overlooks_nothing() {
    let (names, mut secrets) = (names(), 0);
    for text in mixtures(8_000) {
        let all = ALL.look(&text, &names, Glance::ALL);
        secrets += usize::from(all.is_some());
        assert_eq!(ALL.once(&text, &names), all, "{text:?}");
    }
    assert!(secrets > 2_000, "{secrets}");
}

#[test]
fn the_result_contains_no_secret() {
    let names = names();
    for text in mixtures(8_000) {
        if let Some((left, _)) = ALL.clean(&text, &names) {
            assert_eq!(ALL.clean(&left, &names), None, "{text:?}");
        }
    }
}

/// Each would take minutes if a pass started over at every possible secret.
#[test]
fn hostile_texts_are_scrubbed_in_one_pass() {
    let fill = |piece: &str| piece.repeat((1 << 20) / piece.len());
    assert_eq!(clean(&format!("{}PRIVATE KEY-----", fill("-----BEGIN "))), Some(1), "the last few");
    assert_eq!(clean(&format!("{} PRIVATE KEY-----", fill("-----BEGIN x\n").trim_end())), Some(1));
    assert_eq!(clean(&fill("-----BEGIN PRIVATE KEY-----")), Some(1));
    let ends = format!("-----BEGIN PRIVATE KEY-----{}", fill("-----END "));
    assert_eq!(clean(&ends), Some(1));
    let fill = |piece: &str| piece.repeat((1 << 18) / piece.len());
    for (piece, count) in [
        ("?token=", 1),
        ("password={", 1),
        ("{\"token\":{", 1),
        ("token:[", 1),
        ("cookie: a=\"", 1),
        ("cookie=a=", 1),
        ("authorization:digest ", 1),
        ("ip:1.1;", 1),
        ("name=\"token\"\\n\\n", 1),
        ("://a:@:", (1 << 18) / 7),
        ("\"password\":", (1 << 18) / 11 - 1),
        ("pin:'", (1 << 18) / 5 / 2),
        ("ip: 1.2, ", (1 << 18) / 9),
        ("[\"Cookie\",\"", (1 << 18) / 11 / 2),
    ] {
        assert_eq!(clean(&fill(piece)), Some(count as u32), "{piece}");
    }
}

#[test]
fn hostile_texts_without_a_secret_are_scanned_once() {
    let pieces = [
        "bearer ",
        ".bearer.",
        "basic ",
        "4 1-",
        "4",
        "://",
        "://a:b/",
        "cookie:",
        "token: ",
        "token==",
        "ip=/",
        "[\"",
        "[[\"",
        "[\\\"",
        "['",
        "[ ",
        "[\"a\",",
        "\\",
        "\\\"",
        "\"",
        ":",
        "=",
        "a=",
        "sk-",
        "ghp_",
        "eyJ",
        "eyJ-",
        "eyJaaaaaaaaaaaaa-",
        "-",
        "_",
        "\"name\":\"",
        "\"name\":\"token\",",
        "name=\"",
        "name=\"password\"",
        "authorization: ",
        "api key:",
        "é=",
        "x-forwarded-for: ",
    ];
    for piece in pieces {
        assert_eq!(clean(&piece.repeat((1 << 18) / piece.len())), None, "{piece}");
    }
}
