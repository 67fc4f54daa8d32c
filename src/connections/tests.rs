use super::*;

fn given(kind: Kind, url: Option<&str>, email: Option<&str>, token: &str) -> String {
    let given = ConnectionInput {
        url: url.map(str::to_owned),
        email: email.map(str::to_owned),
        token: token.to_owned(),
    };
    given.check(kind).map_or_else(|error| error.to_string(), |()| "taken".to_owned())
}

#[test]
fn entered_settings_are_checked_before_any_request() {
    let jira = Some("https://acme.atlassian.net");
    assert_eq!(given(Kind::Jira, jira, Some("ada@example.com"), "t"), "taken");
    assert_eq!(given(Kind::Linear, None, None, "lin_api_1"), "taken");
    let long = "x".repeat(TOKEN_MAX + 1);
    for (kind, url, email, token, says) in [
        (Kind::Linear, None, None, "", "token"),
        (Kind::Linear, None, None, "a b", "token"),
        (Kind::Linear, None, None, "a\r\nX: y", "token"),
        (Kind::Linear, None, None, long.as_str(), "token"),
        (Kind::Linear, None, Some("a@b.example"), "t", "email"),
        (Kind::Jira, None, None, "t", "url"),
        (Kind::Jira, Some("acme.atlassian.net"), None, "t", "url"),
        (Kind::Jira, Some("ftp://acme.example"), None, "t", "url"),
        (Kind::Jira, Some("https://u:p@acme.example"), None, "t", "url"),
        (Kind::Jira, Some("https://acme.example/?x=1"), None, "t", "url"),
        (Kind::Jira, jira, Some("nobody"), "t", "email"),
        (Kind::Jira, jira, Some("a:b@c.example"), "t", "email"),
    ] {
        let said = given(kind, url, email, token);
        assert!(said.starts_with(says), "{kind:?} {url:?} {email:?}: {said}");
    }
}

#[test]
fn a_ticket_shows_outside_text_as_plain_text() {
    let new = NewTicket {
        destination: "acme/shop".to_owned(),
        title: "x".to_owned(),
        note: "Look @here".to_owned(),
        facts: "a ```` b @everybody [x](javascript:1) {noformat}h1. big".to_owned(),
        link: "https://mayday.example/projects/1/issues/2".to_owned(),
        mark: "7c1c2f0e-0000-4000-8000-000000000000".to_owned(),
        since: Timestamp::from_millis(0),
    };
    let markdown = new.markdown();
    assert!(markdown.starts_with("Look @here\n\n`````text\na ```` b @everybody"), "{markdown}");
    assert!(
        markdown.contains("\n`````\n\n[Open in Mayday](https://mayday.example/projects/1/issues/2#7c1c2f0e-")
    );
    let wiki = new.wiki();
    assert_eq!(wiki.matches("{noformat}").count(), 2, "{wiki}");
    assert!(wiki.contains("[Open in Mayday|https://mayday.example/projects/1/issues/2#7c1c2f0e-"), "{wiki}");
}

#[test]
fn a_trackers_answer_is_bounded_and_unsafe_addresses_are_dropped() {
    let remote = |url: &str| RemoteTicket {
        id: "1".to_owned(),
        key: "k".repeat(500),
        title: format!("a\r\nb\u{202e}{}", "c".repeat(10_000)),
        url: url.to_owned(),
        state: "Done".to_owned(),
        is_closed: true,
        destination: Destination { id: "1".to_owned(), name: "n".repeat(500) },
    };
    let shown = remote("javascript:alert(1)").bounded();
    assert_eq!(shown.url, "");
    assert!(shown.title.starts_with("a b") && shown.title.chars().count() <= 251, "{}", shown.title);
    assert!(shown.key.chars().count() <= 129 && shown.destination.name.chars().count() <= 129);
    assert_eq!(remote("https://x.example/1").bounded().url, "https://x.example/1");
}

#[test]
fn a_ticket_is_named_by_its_address_or_its_key() {
    for (given, before, expected) in [
        ("ENG-42", "issue", Some("ENG-42")),
        ("https://linear.app/acme/issue/ENG-42/the-cart-is-gone", "issue", Some("ENG-42")),
        ("https://acme.atlassian.net/browse/SHOP_2-7?focusedId=1#x", "browse", Some("SHOP_2-7")),
        ("https://jira.example/context/browse/SHOP-7", "browse", Some("SHOP-7")),
        ("https://acme.atlassian.net/browse/", "browse", None),
        ("https://acme.atlassian.net/wiki/SHOP-7", "browse", None),
        ("https://acme.atlassian.net/browse/..%2Fmyself", "browse", None),
        ("ENG", "issue", None),
        ("42", "issue", None),
        ("-42", "issue", None),
        ("ENG-4 2", "issue", None),
        ("ENG-4?x=1", "issue", None),
        ("ENG-1234567890123", "issue", None),
        ("ftp://linear.app/acme/issue/ENG-42", "issue", None),
    ] {
        assert_eq!(tracker::key_in(given, before).as_deref(), expected, "{given}");
    }
}
