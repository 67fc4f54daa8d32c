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
    assert_eq!(all("ÜBER Straße, naïveté"), ["über", "straße", "naïveté"]);
    assert_eq!(all("Ошибка базы №5"), ["ошибка", "базы", "5"]);
    assert_eq!(all("xÉ9 Éx"), ["xé9", "éx"]);
    assert_eq!(all("İ"), ["i\u{307}"], "one character may become two");
}

#[test]
fn scripts_without_spaces_give_a_word_each_character() {
    assert_eq!(all("東京abc都X"), ["東", "京", "abc", "都", "x"]);
    assert_eq!(all("データ失敗。ok"), ["デ", "ー", "タ", "失", "敗", "ok"]);
    assert_eq!(all("กข ကမ ខក ລາ"), ["ก", "ข", "က", "မ", "ខ", "ក", "ລ", "າ"]);
    assert_eq!(all("é東é"), ["é", "東", "é"]);
}

#[test]
fn a_word_is_cut_at_a_character_and_its_place_is_whole() {
    let check = |text: &str, expected: &str| {
        let mut found = Vec::new();
        words(text, |word, start, end| found.push((word.to_owned(), start, end)));
        assert_eq!(found, [(expected.to_owned(), 1, text.len())]);
    };
    check(&format!(" {}", "aB".repeat(40)), &"ab".repeat(32));
    check(&format!(" {}", "a".repeat(65)), &"a".repeat(64));
    check(&format!(" a{}", "é".repeat(40)), &format!("a{}", "é".repeat(31)));
    check(&format!(" {}éa", "a".repeat(63)), &"a".repeat(63));
    check(&format!(" {}é", "a".repeat(70)), &"a".repeat(64));
}

#[test]
fn places_are_those_of_the_text() {
    let text = "Ab çD 東x “Q”";
    let mut found = Vec::new();
    words(text, |word, start, end| {
        assert_eq!(text[start..end].to_lowercase(), word);
        found.push(start);
    });
    assert!(found.is_sorted() && found.len() == 5, "{found:?}");
}
