use super::*;

fn all(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    words(text, |word, _, _| found.push(word.to_owned()));
    found
}

#[test]
fn letters_and_digits_are_words_in_lower_case() {
    assert_eq!(all("User_created: id=42, HTTP/2 'ok'"), ["user", "created", "id", "42", "http", "2", "ok"]);
    assert_eq!(all("ann@example.org a-b 1.5e3"), ["ann", "example", "org", "a", "b", "1", "5e3"]);
    assert_eq!(all(""), Vec::<String>::new());
    assert_eq!(all(" _-…“”\n"), Vec::<String>::new());
}

#[test]
fn other_scripts_are_words_too() {
    assert_eq!(all("ÜBER Straße, naïveté"), ["uber", "strasse", "naivete"]);
    assert_eq!(all("Ошибка базы №5"), ["ошибка", "базы", "5"]);
    assert_eq!(all("xÉ9 Éx"), ["xe9", "ex"]);
    assert_eq!(all("İ"), ["i"]);
}

#[test]
fn points_of_hebrew_and_arabic_do_not_count() {
    assert_eq!(all("שָׁלוֹם מֶלֶךְ"), all("שלום מלך"));
    assert_eq!(all("مُحَمَّدٌ أحمد"), all("محمد احمد"));
    assert_ne!(all("की"), all("क"), "vowels of Hindi do");
    assert_ne!(all("が"), all("か"), "and so do sounds of Japanese");
}

#[test]
fn scripts_without_spaces_give_a_word_each_character() {
    assert_eq!(all("東京abc都X"), ["東", "京", "abc", "都", "x"]);
    assert_eq!(all("データ失敗。ok"), ["デ", "ー", "タ", "失", "敗", "ok"]);
    assert_eq!(all("กข ကမ ខក ລາ"), ["ก", "ข", "က", "မ", "ខ", "ក", "ລ", "າ"]);
    assert_eq!(all("é東é"), ["e", "東", "e"]);
}

#[test]
fn symbols_share_a_words_position() {
    let indexed_as = |text: &str| {
        let mut found = Vec::new();
        indexed(text, |word, place| found.push((word.to_owned(), place)));
        found
    };
    let at = |word: &str, place| (word.to_owned(), place);
    assert_eq!(indexed_as("Acme™ server"), [at("acme", 0), at("server", 1), at("tm", 0)]);
    assert_eq!(indexed_as("⚠️ low"), indexed_as("⚠ low"));
    assert_eq!(indexed_as("\u{1b}[31m->\u{1b}[0m"), [at("->", 0)]);
    assert_eq!(indexed_as("\"->\"\u{a0}!="), [at("->", 0), at("!=", 0)]);
    assert_eq!(all("1️⃣ x"), ["1", "x"]);
    let decomposed: String =
        "결제실패".repeat(40).chars().flat_map(|c| c.to_string().nfd().collect::<Vec<_>>()).collect();
    assert_eq!(all(&decomposed).len(), 160, "also decomposed, each is found");
}

#[test]
fn terminal_colours_are_not_text_even_within_a_word() {
    assert_eq!(all("\u{1b}[38;5;196mfailure\u{1b}[0m in \u{1b}[1;4mqueue"), ["failure", "in", "queue"]);
    assert_eq!(all("pay\u{1b}[31mment\u{1b}[0m 東\u{1b}[31m京"), ["payment", "東", "京"]);
    assert_eq!(all("\u{1b}]8;;https://ci.example\u{1b}\\log\u{1b}]8;;\u{1b}\\"), ["log"]);
    assert_eq!(all("a\u{1b}[3"), ["a"]);
    let link = "\u{1b}]8;;http://x.y\u{1b}\\disk\u{1b}]8;;\u{1b}\\ bell\u{7}end";
    assert_eq!(all(link), ["disk", "bell", "end"], "the nearer end counts");
    let mut found = Vec::new();
    words("x pay\u{1b}[31mMent\u{1b}[0m", |word, start, end| found.push((word.to_owned(), start, end)));
    assert_eq!(found, [("x".to_owned(), 0, 1), ("payment".to_owned(), 2, 14)]);
    let mut spelled = Vec::new();
    indexed("pay\u{1b}[31mMent", |word, _| spelled.push(word.to_owned()));
    assert_eq!(spelled, ["payment"]);
}

#[test]
fn a_long_word_is_truncated_at_a_character_boundary() {
    let check = |text: &str, expected: &str| {
        let mut found = Vec::new();
        words(text, |word, start, end| found.push((word.to_owned(), start, end)));
        assert_eq!(found, [(expected.to_owned(), 1, text.len())]);
    };
    check(&format!(" {}", "aB".repeat(40)), &"ab".repeat(32));
    check(&format!(" {}", "a".repeat(65)), &"a".repeat(64));
    check(&format!(" a{}", "é".repeat(40)), &format!("a{}", "e".repeat(40)));
    check(&format!(" a{}", "б".repeat(40)), &format!("a{}", "б".repeat(31)));
    check(&format!(" {}бa", "a".repeat(63)), &"a".repeat(63));
    check(&format!(" {}é", "a".repeat(70)), &"a".repeat(64));
}

#[test]
fn places_are_those_of_the_text() {
    let text = "Ab çD 東x “Q”";
    let mut found = Vec::new();
    words(text, |word, start, end| {
        let mut spelled = String::new();
        normalise(&text[start..end], WORD_MAX, |_| true, &mut spelled);
        assert_eq!(spelled, word);
        found.push(start);
    });
    assert!(found.is_sorted() && found.len() == 5, "{found:?}");
}
