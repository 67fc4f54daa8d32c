//! Addresses without what may hold secrets: user, password, query and fragment.

use super::TEXT_MAX;
use crate::text::line;

/// What may stand before an address in a message without belonging to it.
const OPENING: [char; 3] = ['(', '[', '='];

/// An address without them. One within another, as in the path of a proxy, loses its user, too.
pub(super) fn bare(address: &str) -> String {
    let address = address.trim().split(['?', '#']).next().unwrap_or_default();
    let mut pieces = address.split("//");
    let mut bare = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_host = bare.ends_with(':') || bare.trim_start_matches(OPENING).is_empty();
        bare.push_str("//");
        bare.push_str(if is_host { without_user(piece) } else { piece });
    }
    line(&bare, TEXT_MAX)
}

/// What follows the slashes of an address, from the host on.
fn without_user(piece: &str) -> &str {
    let path = piece.find(['/', '\\']).unwrap_or(piece.len());
    let host = piece[..path].rfind('@').map_or(0, |at| at + 1);
    &piece[host..]
}

/// A message in which each address is bare. It may be far longer than what is shown of it.
pub(super) fn bare_within(message: &str) -> String {
    let mut text = String::new();
    for part in message.trim_start().split_inclusive(is_around) {
        if text.len() > 4 * TEXT_MAX {
            break;
        }
        let word = part.strip_suffix(is_around).unwrap_or(part);
        let is_address = word.contains("://") || word.trim_start_matches(OPENING).starts_with('/');
        text.push_str(&if is_address { bare(word) } else { line(word, TEXT_MAX) });
        text.push_str(&part[word.len()..]);
    }
    line(&text, TEXT_MAX)
}

/// What addresses stand between; in them, it is encoded.
fn is_around(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_loses_user_query_and_fragment() {
        for (address, expected) in [
            ("https://shop.example/cart?token=1#x", "https://shop.example/cart"),
            ("https://ada:pass@shop.example/cart", "https://shop.example/cart"),
            ("https://ada:p@ss@shop.example:8000", "https://shop.example:8000"),
            ("//ada:pass@shop.example\\@x", "//shop.example\\@x"),
            ("https://shop.example/@ada", "https://shop.example/@ada"),
            ("https://a:p@proxy/https://b:q@shop.example/@c", "https://proxy/https://shop.example/@c"),
            ("https://proxy,ftp://a:p@files,https://b:q@x/1", "https://proxy,ftp://files,https://x/1"),
            ("https://a:p@https://b:q@x", "https://https://x"),
            ("/cart//a@b/https://a:p@x", "/cart//a@b/https://x"),
            ("https://", "https://"),
            ("/cart//a@b#secret", "/cart//a@b"),
            ("mailto:ada@shop.example?subject=a", "mailto:ada@shop.example"),
            ("", ""),
        ] {
            assert_eq!(bare(address), expected, "{address}");
        }
    }

    #[test]
    fn messages_keep_all_but_that() {
        for (message, expected) in [
            ("why? #1 is at 5@7", "why? #1 is at 5@7"),
            ("GET https://a:b@shop.example/x?key=1 failed", "GET https://shop.example/x failed"),
            ("from=https://a:b@x/|https://c:d@y/ (//e:f@z/)", "from=https://x/|https://y/ (//z/)"),
            (
                "in (https://shop.example/x?key=1) or \"/pay?key=2\".",
                "in (https://shop.example/x or \"/pay\".",
            ),
            (
                "{\"a\":\"https://x/\",\"b\":\"https://u:p@y/\"}",
                "{\"a\":\"https://x/\",\"b\":\"https://y/\"}",
            ),
        ] {
            assert_eq!(bare_within(message), expected);
        }
        let long = format!("https://a:{}@shop.example/ {}", "b".repeat(5_000), "c ".repeat(5_000));
        let told = bare_within(&long);
        assert!(told.starts_with("https://shop.example/ c c") && told.chars().count() == TEXT_MAX, "{told}");
    }
}
