//! A common form of trace ids for comparisons. They are returned exactly as sent.

use std::borrow::Cow;

/// Digits of a W3C or OpenTelemetry trace id; those of older tracers have half as many.
const DIGITS: usize = 32;
const SHORT: usize = 16;

/// One form for all notations of an id: 32 hexadecimal digits in lower case, without dashes; ids of 16 or more digits
/// are padded with the zeros that some tracers omit. If the text is a header that contains an id (`traceparent`,
/// `b3`, `uber-trace-id`, `sentry-trace`, or X-Ray's `Root=1-…`), its id is used. Any other text is unchanged.
pub fn comparable(id: &str) -> Cow<'_, str> {
    let text = id.trim();
    let text = text.strip_prefix("Root=").map_or(text, |rest| rest.split(';').next().unwrap_or(rest));
    if is_hex(text) && text.len() == DIGITS {
        return lower(text);
    }
    if is_hex(text) && (SHORT..DIGITS).contains(&text.len()) {
        return Cow::Owned(format!("{:0>DIGITS$}", text.to_ascii_lowercase()));
    }
    let parts: Vec<&str> = text.split(['-', ':']).take(6).collect();
    if !parts.iter().all(|part| is_hex(part)) {
        return Cow::Borrowed(id);
    }
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    match lengths[..] {
        // traceparent; later versions may append more fields.
        [2, DIGITS, SHORT, 2, ..] => lower(parts[1]),
        // uber-trace-id, whose ids may lack leading zeros.
        [8..=DIGITS, 1..=SHORT, _, 1..=2] if text.contains(':') => {
            Cow::Owned(format!("{:0>DIGITS$}", parts[0].to_ascii_lowercase()))
        }
        // A UUID.
        [8, 4, 4, 4, 12] => Cow::Owned(parts.concat().to_ascii_lowercase()),
        // X-Ray
        [1, 8, 24] => Cow::Owned(parts[1..].concat().to_ascii_lowercase()),
        // b3, sentry-trace, uber-trace-id
        [DIGITS, SHORT, ..] => lower(parts[0]),
        [SHORT, SHORT, ..] => Cow::Owned(format!("{:0>DIGITS$}", parts[0].to_ascii_lowercase())),
        _ => Cow::Borrowed(id),
    }
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::comparable;

    #[test]
    fn all_notations_of_an_id_have_one_form() {
        let form = "4bf92f3577b34da6a3ce929d0e0e4736";
        for id in [
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "4BF92F3577B34DA6A3CE929D0E0E4736",
            "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
            "4bf92f3577b34da6a3ce929d0e0e4736:00f067aa0ba902b7:0:1",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-0a",
            "Root=1-4bf92f35-77b34da6a3ce929d0e0e4736;Parent=53995c3f42cd8ad8;Sampled=1",
            " 4bf92f3577b34da6a3ce929d0e0e4736 ",
        ] {
            assert_eq!(comparable(id), form, "{id}");
        }
        for id in [
            "a3ce929d0e0e4736",
            "A3CE929D0E0E4736",
            "0000000000000000a3ce929d0e0e4736",
            "a3ce929d0e0e4736-00f067aa0ba902b7",
        ] {
            assert_eq!(comparable(id), "0000000000000000a3ce929d0e0e4736", "{id}");
        }
        let lacks_one = "0bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(comparable(&lacks_one[1..]), lacks_one);
        assert_eq!(comparable("3ce929d0e0e473b:f067aa0ba902b7:0:1"), "000000000000000003ce929d0e0e473b");
        for id in ["", "12:30:15:1", "checkout-17", "12345", "req_01HZY3K9V4", "a-b-c", "00-xyz"] {
            assert_eq!(comparable(id), id);
        }
    }
}
