//! Text in commands that people copy.

/// A text as one word of a shell command, because names come from clients. `None` if it has invisible characters.
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

/// An option and its value, even if that begins like an option. `None` if it has invisible characters.
pub fn option(name: &str, value: &str) -> Option<String> {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    Some(format!("{name}{between}{}", word(value)?))
}

/// The last argument, after which no options follow. `None` if it has invisible characters.
pub fn argument(text: &str) -> Option<String> {
    let mark = if text.starts_with('-') { "-- " } else { "" };
    Some(format!("{mark}{}", word(text)?))
}

#[cfg(test)]
mod tests {
    use super::{argument, option, word};

    #[test]
    fn a_value_that_begins_like_an_option_is_not_one() {
        assert_eq!(option("--release", "1.0").as_deref(), Some("--release 1.0"));
        assert_eq!(option("--release", "-1 b").as_deref(), Some("--release='-1 b'"));
        assert_eq!(option("--release", "a\nb"), None);
        assert_eq!(argument("1.0").as_deref(), Some("1.0"));
        assert_eq!(argument("-1").as_deref(), Some("-- '-1'"));
    }

    #[test]
    fn any_text_is_one_word() {
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
