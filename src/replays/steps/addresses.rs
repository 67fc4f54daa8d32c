//! Addresses without what may hold secrets: user, password, query and fragment.

use super::TEXT_MAX;
use crate::text::{clip, line};
use std::borrow::Cow;

/// What may stand before an address in a message without belonging to it.
const OPENING: [char; 3] = ['(', '[', '='];
/// What ends the host of an address.
const SLASHES: [char; 2] = ['/', '\\'];
/// Characters of an address that are looked at, far more than are shown.
const ADDRESS_MAX: usize = 8 << 10;

/// An address without them. One within another, as in the path of a proxy, loses its user, too.
pub(super) fn bare(address: &str) -> String {
    let (address, is_cut) = clip(address.trim().into(), ADDRESS_MAX);
    without_secrets(&address, is_cut)
}

/// An address that may have been cut. A `?` or `#` before an `@` may stand in a password, and so may the place of the
/// cut: unless the host has ended there, it is left out with all that follows.
fn without_secrets(address: &str, is_cut: bool) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (address, rest) = address.split_at(end);
    let is_unclear = is_cut || rest.contains('@');
    let mut pieces = address.split("//").peekable();
    let mut bare = pieces.next().unwrap_or_default().to_owned();
    let mut opens = bare.trim_start_matches(OPENING).is_empty();
    while let Some(piece) = pieces.next() {
        let is_host = bare.ends_with(':') || opens;
        opens = false;
        let is_open = pieces.peek().is_none() && !piece.contains(SLASHES);
        bare.push_str("//");
        bare.push_str(if !is_host {
            piece
        } else if is_open && is_unclear {
            "…"
        } else {
            without_user(piece)
        });
    }
    line(&bare, TEXT_MAX)
}

/// What follows the slashes of an address, from the host on.
fn without_user(piece: &str) -> &str {
    let path = piece.find(SLASHES).unwrap_or(piece.len());
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
        text.push_str(&bare_word(word));
        text.push_str(&part[word.len()..]);
    }
    line(&text, TEXT_MAX)
}

/// A word of a message; an address in it may be written as in JSON.
fn bare_word(word: &str) -> String {
    let (word, is_cut) = clip(word.into(), ADDRESS_MAX);
    let address = unescaped(&word);
    let is_address = address.contains("://") || address.trim_start_matches(OPENING).starts_with('/');
    if is_address { without_secrets(&address, is_cut) } else { line(&word, TEXT_MAX) }
}

/// A word without the backslashes before its slashes.
fn unescaped(word: &str) -> Cow<'_, str> {
    if !word.contains("\\/") {
        return word.into();
    }
    let pieces = word.split_inclusive('/').map(|piece| match piece.strip_suffix('/') {
        Some(start) => [start.trim_end_matches('\\'), "/"],
        None => [piece, ""],
    });
    pieces.flatten().collect::<String>().into()
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
            ("https://shop.example?a=1", "https://shop.example"),
            ("https://shop.example/?to=ada@x.example", "https://shop.example/"),
            ("https://ada:p#ss@shop.example/cart", "https://…"),
            ("https://ada:p?s/s@shop.example", "https://…"),
            ("https://proxy/https://ada@b:p#ss@x", "https://proxy/https://…"),
            ("//ada:p#ss@shop.example", "//…"),
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
            ("https:\\/\\/ada:pass@x\\/a\\/?token=1 failed", "https://x/a/ failed"),
            (
                "\"{\\\"a\\\":\\\"https:\\\\/\\\\/ada:pass@x\\\\/a\\\"}\"",
                "\"{\\\"a\\\":\\\"https://x/a\\\"}\"",
            ),
            ("at \\/pay?key=1, C:\\x and a\\/b", "at /pay C:\\x and a\\/b"),
            ("to https://ada:p#ss@x/ and https://ada:p?ss@x/", "to https://… and https://…"),
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

    #[test]
    fn where_a_long_address_is_cut_no_password_is_left() {
        for sign in ["", "#", "?"] {
            let address = format!("https://ada:{sign}{}@x/", "p".repeat(ADDRESS_MAX));
            assert_eq!(bare(&address), "https://…");
            assert_eq!(bare_within(&format!("GET {address} failed")), "GET https://… failed");
        }
        let path = bare(&format!("https://ada:pass@x/{}", "a".repeat(ADDRESS_MAX)));
        assert!(path.starts_with("https://x/aaa") && path.chars().count() == TEXT_MAX, "{path}");
    }

    #[test]
    fn a_long_word_costs_time_in_proportion_to_its_length() {
        // Looked at once for each pair of slashes, these would take hours.
        let word = ["(", "/"].map(|c| c.repeat(2 << 20)).concat();
        assert_eq!(bare_within(&word).chars().count(), TEXT_MAX);
        assert!(without_secrets(&word, false).starts_with("((("));
    }
}
