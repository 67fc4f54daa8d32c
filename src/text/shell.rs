//! Text in commands that people copy.

/// A word of a shell, whatever is in it: names come from clients. `None` for what cannot be seen.
pub fn word(text: &str) -> Option<String> {
    if text.is_empty() || text.chars().any(char::is_control) || super::line(text, usize::MAX) != text {
        return text.is_empty().then(|| "''".to_owned());
    }
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '@' | '+' | ':');
    if text.chars().all(is_plain) && !text.starts_with('-') {
        return Some(text.to_owned());
    }
    Some(format!("'{}'", text.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn whatever_is_in_it_is_one_word() {
        for (text, expected) in [
            ("1.0.0-rc+5", Some("1.0.0-rc+5")),
            ("a b", Some("'a b'")),
            ("$(rm -rf ~)", Some("'$(rm -rf ~)'")),
            ("it's; rm", Some("'it'\\''s; rm'")),
            ("-rf", Some("'-rf'")),
            ("~/", Some("'~/'")),
            ("a\nrm", None),
            ("a\u{202e}b", None),
            ("", Some("''")),
        ] {
            assert_eq!(word(text).as_deref(), expected, "{text}");
        }
    }
}
