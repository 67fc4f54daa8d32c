use super::*;

#[test]
fn a_line_is_one_line_without_invisible_characters() {
    for (given, shown) in [
        ("Bcc: eve\r\nSubject: x", "Bcc: eve Subject: x"),
        ("  a \t b  ", "a b"),
        ("\u{202e}gnp.exe\u{202c}", "gnp.exe"),
        ("zero\u{200b}width\u{feff}\u{e0041}", "zerowidth"),
        ("a\0b\u{1b}[31m", "ab[31m"),
        ("naïve 🙂", "naïve 🙂"),
        ("", ""),
        ("\u{200b} \n", ""),
    ] {
        assert_eq!(line(given, 80), shown, "{given:?}");
    }
}

#[test]
fn a_line_that_is_too_long_ends_in_an_ellipsis() {
    assert_eq!(line("abcdef", 6), "abcdef");
    assert_eq!(line("abcdef ", 6), "abcdef");
    assert_eq!(line("abcdefg", 6), "abcde…");
    assert_eq!(line("abcd efg", 6), "abcd…");
    assert_eq!(line(&"ü".repeat(10_000), 200).chars().count(), 200);
}
