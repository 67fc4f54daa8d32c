use std::time::{Duration, Instant};

use super::super::message::{MAX_LENGTH, normalise};
use super::Numbers;

#[track_caller]
fn assert_normal(pairs: &[(&str, &str)]) {
    for (message, normal) in pairs {
        assert_eq!(normalise(message), *normal, "{message}");
    }
}

#[test]
fn numbers_are_replaced() {
    assert_normal(&[
        ("item 12 of 1,234.56", "item <num> of <num>"),
        ("offset -5, +3 (-1.5)", "offset <num>, <num> (<num>)"),
        ("took 5ms, 1.5s, 12GB, 3rd, 10%", "took <num>ms, <num>s, <num>GB, <num>rd, <num>%"),
        ("1e-7 and 2.5E10", "<num> and <num>"),
        ("item42 user_12_x ABC-12345", "item<num> user_<num>_x ABC-<num>"),
        ("version 1.2.3 v2", "version <num> v<num>"),
        ("at 12:30 (3:45)", "at <num>:<num> (<num>:<num>)"),
        ("/users/123/orders/7", "/users/<num>/orders/<num>"),
        ("range 1-2", "range <num>-<num>"),
        ("lines 1:02:03", "lines <num>:<num>:<num>"),
        ("list -2024-01-02 -1a2b3c4d -5", "list -<date> -<id> <num>"),
    ]);
}

#[test]
fn ids_are_replaced() {
    assert_normal(&[
        ("user 0a1b2c3d-0000-4000-8000-0123456789ab gone", "user <id> gone"),
        ("/orders/0A1B2C3D-0000-4000-8000-0123456789AB/x", "/orders/<id>/x"),
        ("commit 1a2b3c4d and d41d8cd98f00b204e9800998ecf8427e", "commit <id> and <id>"),
        ("key 01HZY3K9V4Q8M2N7R5T6W1X0YZ", "key <id>"),
        ("token aB3dE9xZ7qLm2Kp", "token <id>"),
        ("facade deadbeef defaced", "facade deadbeef defaced"),
        ("getUserProfileCardOrNull failed", "getUserProfileCardOrNull failed"),
        ("ERR_HTTP_HEADERS_SENT", "ERR_HTTP_HEADERS_SENT"),
    ]);
    assert_eq!(normalise(&format!("data {} end", "abc".repeat(40))), "data <id> end");
}

#[test]
fn quoted_text_is_replaced_and_apostrophes_are_not_quotes() {
    assert_normal(&[
        ("reading 'price' of \"x\"", "reading <str> of <str>"),
        ("use `a b` or “c” or ‘d’ or «e»", "use <str> or <str> or <str> or <str>"),
        ("can't open 'it's here' now", "can't open <str> now"),
        ("the user's cart isn't empty", "the user's cart isn't empty"),
        ("don’t open ‘it’s’ now", "don’t open <str> now"),
        ("undefined method `foo' for nil", "undefined method <str> for nil"),
        ("say \"a \\\"b\\\" c\" end", "say <str> end"),
        ("json {\\\"a\\\": 1}", "json {\\<str>: <num>}"),
        ("open 'quote", "open 'quote"),
        ("\"\" is empty", "<str> is empty"),
    ]);
}

#[test]
fn addresses_are_replaced() {
    assert_normal(&[
        ("connect ECONNREFUSED 10.0.0.1:5432", "connect ECONNREFUSED <addr>"),
        ("from 192.168.1.0/24.", "from <addr>."),
        ("at 0x7ffee4b2 and 0X1F", "at <addr> and <addr>"),
        ("[::1]:8080 2001:db8::1 fe80::1%eth0: down", "[<addr>]:<num> <addr> <addr>: down"),
        ("mac 00:1b:44:11:3a:b7", "mac <addr>"),
        ("std::bad::face a::b", "std::bad::face a::b"),
    ]);
}

#[test]
fn dates_are_replaced() {
    for date in [
        "2024-01-02",
        "2024/01/02",
        "01/02/2024",
        "02.01.2024",
        "2024-01-02T03:04:05Z",
        "2024-01-02T03:04:05.678+01:00",
        "2024-01-02 03:04",
        "03:04:05",
        "03:04:05.123",
        "Tue, 02 Jan 2024 03:04:05 GMT",
        "Tue Jan 02 2024 03:04:05 GMT+0100 (Central European Standard Time)",
        "Jan 2, 2024",
        "2 January 2024",
        "2024-01-02 03:04:05 UTC",
        "01/02/2024, 3:04:05 PM",
    ] {
        assert_eq!(normalise(&format!("expired {date} ago")), "expired <date> ago", "{date}");
        assert_eq!(normalise(&format!("({date})")), "(<date>)", "{date}");
    }
    assert_eq!(normalise("may 3 users"), "may <num> users");
    assert_eq!(normalise("2024-13-45"), "<num>-<num>-<num>");
}

#[test]
fn email_addresses_and_urls_are_replaced() {
    assert_normal(&[
        ("no user joe.b+1@example.co.uk.", "no user <email>."),
        ("Failed: https://x.example/a/1?b=c#d.", "Failed: <url>/a/<num>."),
        ("(see http://localhost:3000/x)", "(see <url>/x)"),
        ("(see https://x.example/)", "(see <url>)"),
        ("of https://x.example/to/https://y.example/z", "of <url>/to/https"),
        ("src data:image/png;base64,QUJD== bad", "src <url> bad"),
        ("ratio a://", "ratio a://"),
        ("@decorator a@b", "@decorator a@b"),
    ]);
}

#[test]
fn statuses_and_paths_are_kept_without_ids() {
    assert_normal(&[
        ("GET /api/orders/123 failed with 404", "GET /api/orders/<num> failed with 404"),
        ("GET /api/orders/123?page=2&q=x failed with 500", "GET /api/orders/<num> failed with 500"),
        ("HTTP 503", "HTTP 503"),
        ("HTTP/1.1 502 Bad Gateway", "HTTP/<num> 502 Bad Gateway"),
        ("status: 418, statusCode=429", "status: 418, statusCode=429"),
        (
            "404 Client Error: Not Found for url: https://x.example/a",
            "404 Client Error: Not Found for url: <url>/a",
        ),
        ("upload failed (413 Payload Too Large)", "upload failed (413 Payload Too Large)"),
        ("Request failed: 500", "Request failed: 500"),
        ("with 404 items, 300 ms, error 500", "with <num> items, <num> ms, error <num>"),
        ("GET /x returned 404 items", "GET /x returned <num> items"),
        ("status code 4040, status 999", "status code <num>, status <num>"),
        ("Unable to load /assets/Cart-BxY12Abc.css", "Unable to load /assets/Cart.css"),
        ("Is /a/b? yes, and 1/2", "Is /a/b? yes, and <num>/<num>"),
    ]);
}

#[test]
fn white_space_is_collapsed() {
    assert_eq!(normalise("  a\r\n\t b \n"), "a b");
    assert_eq!(normalise(""), "");
}

/// A random value for each kind of placeholder in a template.
fn value(numbers: &mut Numbers, hole: char) -> String {
    let hex = "0123456789abcdef";
    let base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    match hole {
        'n' => format!("{}", numbers.below(10_usize.pow(1 + (numbers.0 % 9) as u32))),
        'o' => format!("{}", 1 + numbers.below(65_535)),
        'f' => format!("{}.{}", numbers.below(1000), numbers.below(1000)),
        'u' => [8, 4, 4, 4, 12].map(|length| numbers.text(hex, length)).join("-"),
        'h' => format!("a0{}", numbers.text(hex, 30)),
        'r' => format!("a1B2c{}", numbers.text(base62, 19)),
        'p' => format!("0x{}", numbers.text(hex, 12)),
        'i' => [0; 4].map(|_| numbers.below(256).to_string()).join("."),
        's' => {
            let length = numbers.below(30);
            numbers.text("abc XYZ0189.-:/@#", length)
        }
        'e' => format!("{}@{}.example", numbers.text("abcxyz019", 6), numbers.text("abcd", 5)),
        'w' => format!("https://{}.example/a/{}", numbers.text("abcd", 4), numbers.below(100_000)),
        'd' => format!(
            "20{:02}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            numbers.below(100),
            1 + numbers.below(12),
            1 + numbers.below(28),
            numbers.below(24),
            numbers.below(60),
            numbers.below(60),
        ),
        _ => unreachable!("no such hole"),
    }
}

pub(crate) fn fill(template: &str, numbers: &mut Numbers) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('%') {
        filled.push_str(&rest[..at]);
        filled.push_str(&value(numbers, char::from(rest.as_bytes()[at + 1])));
        rest = &rest[at + 2..];
    }
    filled + rest
}

#[test]
fn a_template_has_one_result_whatever_its_values() {
    let templates = [
        "Cannot read properties of undefined (reading '%s')",
        "user %u not found in tenant %n",
        "Loading chunk %n failed.\n(missing: %w)",
        "Request failed with status code 404 after %nms (%f s)",
        "can't parse \"%s\" at position %n:%n",
        "connect ECONNREFUSED %i:%o",
        "key %h of %r at %p",
        "mail to %e bounced at %d",
        "/api/users/%u/orders/%n: %n%",
        "offset=%n, -%n, item%n_x [%n,%n]",
        "`%s` isn't “%s”",
    ];
    let mut numbers = Numbers::new();
    for template in templates.map(|template| template.trim_end_matches('%')) {
        let first = normalise(&fill(template, &mut numbers));
        for _ in 0..2000 {
            let message = fill(template, &mut numbers);
            assert_eq!(normalise(&message), first, "{message}");
        }
    }
}

#[test]
fn normalising_twice_changes_nothing() {
    let alphabets = [
        "ab09'\" ",
        "aF0x9:.-, ",
        "a1@b.c/:'`\\\" <>numstr",
        "0123456789-:./T ZGM+",
        "JanTue 0123,:",
        "abcdefABCDEF0123456789_",
        "/a1?#&=.-:b é'",
    ];
    let mut numbers = Numbers::new();
    for round in 0..60_000 {
        let length = 1 + numbers.below(60);
        let message = numbers.text(alphabets[round % alphabets.len()], length);
        let once = normalise(&message);
        assert_eq!(normalise(&once), once, "{message:?}");
    }
}

#[test]
fn long_messages_are_cut_and_stay_stable() {
    let mut numbers = Numbers::new();
    for piece in ["word ", "x", "12 ", "1", "'a' ", "a'b ", "é", "“", "a:b:", ",-1", "<", "\\\"", "1a-"] {
        let message = piece.repeat(20_000 / piece.len());
        let once = normalise(&message);
        assert!(once.len() <= MAX_LENGTH && !once.is_empty(), "{piece:?}");
        assert_eq!(normalise(&once), once, "{piece:?}");
    }
    for _ in 0..300 {
        let length = 900 + numbers.below(9000);
        let message = numbers.text("abcdef 0123456789'\"-:.@", length);
        let once = normalise(&message);
        assert!(once.len() <= MAX_LENGTH);
        assert_eq!(normalise(&once), once, "{message:?}");
    }
}

#[test]
fn hostile_mebibytes_are_processed_quickly() {
    for piece in
        ["'", "\"a'", "a:", ",-1", "1.", "a@", "0:", "::", "1-", "Jan ", "\\\"", "“‘«", "aB1", "http:"]
    {
        let message = piece.repeat((1 << 20) / piece.len());
        let start = Instant::now();
        normalise(&message);
        // With quadratic time it would take hours.
        assert!(start.elapsed() < Duration::from_mins(1), "{piece:?}");
    }
    for root in ["/var/folders/", "/home/", "C:\\", "/tmp/"] {
        let start = Instant::now();
        crate::grouping::file_name::normalise(&format!("{root}{}x.js", "a/".repeat(1 << 19)));
        assert!(start.elapsed() < Duration::from_mins(1), "{root}");
    }
}
