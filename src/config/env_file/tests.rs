use super::*;

fn pairs(file: &str) -> Vec<(String, String)> {
    parse(file.as_bytes()).unwrap()
}

#[test]
fn values_are_literal() {
    for (line, value) in [
        ("A=Company SSO", "Company SSO"),
        ("A=Mayday <m@a.test>", "Mayday <m@a.test>"),
        ("A=abc$HOME${HOME}", "abc$HOME${HOME}"),
        ("A=a#b #c", "a#b #c"),
        ("A=a=b=", "a=b="),
        (r"A=a\nb\", r"a\nb\"),
        ("A=\"quoted # text\"", "quoted # text"),
        ("A='single'", "single"),
        ("A=\"'both'\"", "'both'"),
        ("A=\"", "\""),
        ("A=it's", "it's"),
        ("A=\"a\" b", "\"a\" b"),
        ("A=", ""),
        ("A=\"\"", ""),
        ("  A =  a  ", "a"),
        ("A=a\r", "a"),
        ("\u{feff}A=ä", "ä"),
    ] {
        assert_eq!(pairs(line), [("A".to_owned(), value.to_owned())], "{line}");
    }
}

#[test]
fn comments_and_blank_lines_are_skipped_and_the_order_kept() {
    let found = pairs("# A=0\r\n\r\nA=1\r\n  # B=0\n\t\nB=2\nA=3");
    let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(found, [("A", "1"), ("B", "2"), ("A", "3")]);
    assert!(pairs("").is_empty());
}

#[test]
fn an_invalid_line_is_reported_by_number_and_never_shown() {
    for (file, line, got) in [
        ("A=1\ncanary\n".as_bytes(), 2, Malformed::NoAssignment),
        (b"export A=canary", 1, Malformed::NoName),
        (b"=canary", 1, Malformed::NoName),
        (b"1A=canary", 1, Malformed::NoName),
        (b"\n\nA=canary\xff", 3, Malformed::NotText),
    ] {
        let fault = parse(file).unwrap_err();
        assert!(!fault.to_string().contains("canary"), "{fault}");
        let Fault::Line { line: at, got: found } = fault else { panic!("{fault}") };
        assert_eq!((at, found), (line, got));
    }
}
