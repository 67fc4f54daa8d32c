use super::*;
use crate::time::Timestamp;

#[test]
fn an_issue_is_named_by_its_address_or_its_reference() {
    for (base, given, expected) in [
        ("https://gitlab.com", "acme/shop#42", Some("acme/shop#42")),
        ("https://gitlab.com", "acme/web/shop#42", Some("acme/web/shop#42")),
        ("https://gitlab.com", "https://gitlab.com/acme/shop/-/issues/42", Some("acme/shop#42")),
        (
            "https://gitlab.com",
            "https://gitlab.com/acme/web/shop/-/work_items/42#note_1",
            Some("acme/web/shop#42"),
        ),
        ("https://gitlab.com", "https://gitlab.com/acme/issues/-/issues/42", Some("acme/issues#42")),
        ("https://gitlab.com", "https://gitlab.com/acme/shop/issues/42?x=1", Some("acme/shop#42")),
        ("https://a.example/git/", "https://a.example/git/acme/shop/-/issues/42", Some("acme/shop#42")),
        ("https://gitlab.com", "https://gitlab.com/acme/shop/-/merge_requests/42", None),
        ("https://gitlab.com", "https://gitlab.com/acme/shop/-/issues/", None),
        ("https://gitlab.com", "https://gitlab.com/acme/-/issues/4", None),
        ("https://gitlab.com", "acme/..#1", None),
        ("https://gitlab.com", "../shop#1", None),
        ("https://gitlab.com", "acme/shop#1/notes", None),
        ("https://gitlab.com", "acme/sh op#1", None),
        ("https://gitlab.com", "shop#1", None),
        ("https://gitlab.com", "acme/shop", None),
    ] {
        let found = named(base, given).map(|(project, number)| format!("{project}#{number}"));
        assert_eq!(found.as_deref(), expected, "{given}");
    }
    assert_eq!(issue_path("17#42").unwrap(), "/api/v4/projects/17/issues/42");
    for id in ["acme/shop#42", "17", "17#", "#1", "17#42/notes", "17#42#1", "-1#2"] {
        issue_path(id).unwrap_err();
    }
}

#[test]
fn no_line_of_a_ticket_is_a_quick_action() {
    let new = NewTicket {
        destination: "17".to_owned(),
        title: "x".to_owned(),
        note: "Look\n/close\n  a /label".to_owned(),
        facts: "/assign @ada ```\nin f".to_owned(),
        link: "https://mayday.example/projects/1/issues/2".to_owned(),
        mark: "7c1c2f0e-0000-4000-8000-000000000000".to_owned(),
        since: Timestamp::from_millis(0),
    };
    let text = without_commands(&new).markdown();
    assert!(
        text.starts_with("Look\n\\/close\n  a /label\n\n````text\n /assign @ada ```\nin f\n````"),
        "{text}"
    );
    assert!(text.lines().all(|line| !line.starts_with('/')), "{text}");
}
