//! The texts of mails.

use super::*;
use crate::config::BaseUrl;
use crate::delivery::details::Details;
use crate::delivery::mail::messages::{self, Invitation, Link};
use crate::ids::{IssueId, ProjectId};
use crate::roles::Role;

fn link(path: &str) -> Link {
    Link::new(&BaseUrl::parse("https://errors.example").unwrap(), path).unwrap()
}

fn invite(organization: &str, inviter: Option<&str>) -> Mail {
    let of = Invitation {
        organization,
        inviter,
        role: Role::Admin,
        link: link("/register?token=abc"),
        expires_at: Timestamp::parse("2026-12-05T10:00:00Z").unwrap(),
    };
    messages::invitation("bob@corp.example", &of).unwrap()
}

#[test]
fn an_invitation_says_who_where_and_until_when() {
    let mail = invite("Acme", Some("Ada"));
    assert_eq!(mail.kind, Kind::Invitation);
    assert_eq!(mail.subject, "Ada invites you to join Acme on Mayday");
    for part in
        ["as admin", "\nhttps://errors.example/register?token=abc\n", "bob@corp.example", "2026-12-05"]
    {
        assert!(mail.text.contains(part), "{part}: {}", mail.text);
    }
    assert_eq!(invite("Acme", None).subject, "You are invited to join Acme on Mayday");
}

#[test]
fn a_name_cannot_contain_anything_else() {
    let (long, cut) = ("x".repeat(500), format!("{}…", "x".repeat(79)));
    for (name, shown) in [
        ("Acme\r\nBcc: eve@evil.example\r\n\r\nHello", "Acme Bcc: eve@evil.example Hello"),
        ("win at https://evil.example now", "win at https evil.example now"),
        ("\u{202e}emcA\u{200b}", "emcA"),
        ("  Acme\t &  Söhne\u{0} ", "Acme & Söhne"),
        ("https:\u{200b}//evil.example", "https evil.example"),
        (long.as_str(), &cut),
    ] {
        let mail = invite(name, Some(name));
        assert_eq!(mail.subject.lines().count(), 1);
        assert!(
            mail.text.contains(&format!("{shown} invites you to join {shown} on Mayday")),
            "{}",
            mail.text
        );
    }
    assert!(invite("Acme", Some("\r\n")).subject.starts_with("You are invited"));
}

#[test]
fn links_lead_to_this_instance_only() {
    assert_eq!(link("/reset#token=a").as_str(), "https://errors.example/reset#token=a");
    let frontend = BaseUrl::parse("https://errors.example").unwrap();
    for bad in [
        "",
        "x",
        ".evil.example/",
        "//evil.example",
        "/\\evil.example",
        "@evil.example",
        "/a b",
        "/a\nb",
        "/ä",
    ] {
        Link::new(&frontend, bad).unwrap_err();
    }
}

#[test]
fn every_message_goes_to_one_address_and_names_its_link() {
    let (to, at) = ("ada@corp.example", Timestamp::parse("2026-11-21T10:11:12Z").unwrap());
    let mails = [
        (messages::password_reset(to, &link("/p")), Kind::PasswordReset, "https://errors.example/p\n"),
        (messages::email_change(to, &link("/e")), Kind::EmailChange, "https://errors.example/e\n"),
        (messages::password_changed(to, at), Kind::Notice, "2026-11-21 10:11 UTC"),
        (messages::email_changed(to, "new@corp.example", at), Kind::Notice, "new@corp.example"),
    ];
    for (mail, kind, part) in mails {
        let mail = mail.unwrap();
        assert!(mail.kind == kind && mail.to == to && mail.text.contains(part), "{mail:?}");
    }
    messages::password_changed("ada@corp.example\nBcc: x", at).unwrap_err();
}

#[test]
fn a_notification_says_what_happened_and_how_to_unsubscribe() {
    let of = messages::Notification {
        kind: Kind::ErrorNotification,
        title: "New issue: see https://evil.example\r\nBcc: eve@evil.example",
        summary: "SHOP-12 in Shop",
        link: link("/projects/1/issues/2"),
        thread: Some("issue-2@errors.example".to_owned()),
        issue: None,
        preferences: link("/account/notifications/preferences"),
        unsubscribe: link("/u?token=1"),
    };
    let mail = messages::notification("ada@corp.example", &of).unwrap();
    assert_eq!(mail.subject, "New issue: see https evil.example Bcc: eve@evil.example");
    assert_eq!(mail.unsubscribe.as_deref(), Some("https://errors.example/u?token=1"));
    for part in [
        "\nSHOP-12 in Shop\n",
        "\nhttps://errors.example/projects/1/issues/2\n",
        "\nhttps://errors.example/account/notifications/preferences\n",
    ] {
        assert!(mail.text.contains(part), "{part}: {}", mail.text);
    }
    let payload = mail.payload().unwrap();
    let parcel = Parcel {
        is_last: false,
        target: mail.to,
        payload,
        idempotency_key: "key".into(),
        created_at: Timestamp::from_millis(0),
    };
    let (letter, _) = Letter::read(&parcel).unwrap();
    assert_eq!(letter.unsubscribe.as_deref(), Some("https://errors.example/u?token=1"));
    assert_eq!(letter.thread.as_deref(), Some("issue-2@errors.example"));
    assert_eq!(letter.html, mail.html);
}

fn told(title: &str, summary: &str) -> Mail {
    let of = messages::Notification {
        kind: Kind::ErrorNotification,
        title,
        summary,
        link: link("/projects/1/issues?query=is%3Anew&x='\"<b>"),
        thread: None,
        issue: None,
        preferences: link("/p"),
        unsubscribe: link("/u"),
    };
    messages::notification("ada@corp.example", &of).unwrap()
}

#[test]
fn text_from_others_is_escaped_in_html() {
    let mail = told("<img src=x onerror=alert(1)> & \"{{parts}}\"", "</td></p>'{{footer}}'");
    let html = mail.html.unwrap();
    for part in [
        "<h1 dir=\"auto\">&lt;img src=x onerror=alert(1)&gt; &amp; &quot;{{parts}}&quot;</h1>",
        "<p dir=\"auto\">&lt;/td&gt;&lt;/p&gt;&#39;{{footer}}&#39;</p>",
        "<title>&lt;img",
        "href=\"https://errors.example/projects/1/issues?query=is%3Anew&amp;x=&#39;&quot;&lt;b&gt;\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    for tag in ["<img", "<script", "javascript:"] {
        assert!(!html.contains(tag), "{tag}: {html}");
    }
    assert!(mail.text.contains("<img src=x onerror=alert(1)>"), "plain text is what it is: {}", mail.text);
}

#[test]
fn hostile_titles_become_one_short_line_in_both_parts() {
    let long = "x".repeat(10_000);
    for (title, shown) in [
        ("a\r\nBcc: eve@evil.example\r\n\r\n<p>b", "a Bcc: eve@evil.example &lt;p&gt;b"),
        ("\u{202e}txt.exe\u{2066}\u{200f}", "txt.exe"),
        ("שגיאה في السلة", "שגיאה في السلة"),
        ("see https://evil.example", "see https evil.example"),
        (long.as_str(), &format!("{}…", "x".repeat(159))),
    ] {
        let mail = told(title, title);
        assert!(mail.subject.lines().count() == 1 && mail.subject.chars().count() <= 200, "{}", mail.subject);
        let html = mail.html.unwrap();
        assert!(html.contains(&format!("<h1 dir=\"auto\">{shown}</h1>")), "{shown}: {html}");
        assert!(html.len() < 20_000, "{}", html.len());
        let links = html.matches("href=\"").count();
        assert_eq!(html.matches("href=\"https://errors.example/").count(), links, "{html}");
        assert!(!html.contains("{{"), "{html}");
    }
}

#[test]
fn every_mail_has_the_same_words_in_both_parts() {
    let (to, at) = ("ada@corp.example", Timestamp::from_millis(0));
    let items = [("Notice <1>".to_owned(), link("/n/1")), ("Notice 2".to_owned(), link("/n/2"))];
    let digest = messages::Digest {
        items: &items,
        others: 3,
        inbox: link("/inbox"),
        preferences: link("/p"),
        unsubscribe: link("/u?token=2"),
    };
    let mails = [
        invite("Acme", Some("Ada")),
        messages::password_reset(to, &link("/p")).unwrap(),
        messages::email_change(to, &link("/e")).unwrap(),
        messages::password_changed(to, at).unwrap(),
        messages::digest(to, &digest).unwrap(),
        told("Title", ""),
    ];
    for mail in mails {
        let html = mail.html.unwrap();
        let words = mail.text.lines().filter(|line| !line.is_empty() && *line != "-- ");
        for line in words.filter(|line| !line.ends_with(':')) {
            let line = line.trim_start_matches("- ").trim();
            let line = line
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('\'', "&#39;")
                .replace('"', "&quot;");
            assert!(html.contains(&line), "{line}: {html}");
        }
    }
}

/// A mail about an issue with these details.
fn sent(title: &str, details: &Details) -> Letter {
    let of = messages::Notification {
        kind: Kind::ErrorNotification,
        title,
        summary: "SHOP-12 in Shop",
        link: link("/projects/1/issues/2"),
        thread: None,
        issue: Some((ProjectId(1), IssueId(2))),
        preferences: link("/p"),
        unsubscribe: link("/u"),
    };
    let mail = messages::notification("ada@corp.example", &of).unwrap();
    let payload = mail.payload().unwrap();
    let (idempotency_key, created_at) = ("key".into(), Timestamp::from_millis(0));
    let parcel = Parcel { is_last: false, target: mail.to, payload, idempotency_key, created_at };
    let (letter, issue) = Letter::read(&parcel).unwrap();
    assert_eq!(issue, Some((ProjectId(1), IssueId(2))));
    letter.with(details)
}

#[test]
fn a_mail_about_an_issue_has_its_stack_and_logs() {
    let details = Details::new(
        vec!["at pay (src/cart.ts:7:3)".into(), "at click (src/button.ts:1:2)".into()],
        vec!["10:00:01.000 error db: refused".into(), "10:00:00.000 info http: GET /".into()],
    );
    let letter = sent("New issue: no amount", &details);
    let expected = "New issue: no amount\n\nSHOP-12 in Shop\n\n\
        Where it was thrown:\n    at pay (src/cart.ts:7:3)\n    at click (src/button.ts:1:2)\n\n\
        The last log entries of its trace:\n    10:00:00.000 info http: GET /\n    10:00:01.000 error db: refused\n\n\
        https://errors.example/projects/1/issues/2\n\n";
    assert!(letter.text.starts_with(expected), "{}", letter.text);
    let html = letter.html.unwrap();
    let lines = "<div class=\"lines\" dir=\"ltr\"><div>at pay (src/cart.ts:7:3)</div>\
        <div>at click (src/button.ts:1:2)</div></div>";
    let (before, after) = html.split_once(lines).unwrap();
    assert!(before.contains("SHOP-12 in Shop</p>") && after.contains("class=\"button\""), "{html}");
    let bare = sent("New issue: no amount", &Details::default());
    assert!(bare.text.contains("SHOP-12 in Shop\n\nhttps://errors.example/projects/1/"), "{}", bare.text);
    assert!(!bare.html.unwrap().contains("class=\"lines\""));
}

#[test]
fn hostile_details_are_bounded_plain_text() {
    let long = "x".repeat(10_000);
    for (line, shown) in [
        ("at a\r\n-- \r\nBcc: eve@evil.example", "at a -- Bcc: eve@evil.example"),
        ("at <img src=x onerror=alert(1)>", "at <img src=x onerror=alert(1)>"),
        ("at \u{202e}gpj.a\u{1}", "at gpj.a"),
        ("at a (https://evil.example/a.js:1:2)", "at a (https evil.example/a.js:1:2)"),
        ("at {{parts}} {{footer}}", "at {{parts}} {{footer}}"),
        (long.as_str(), &format!("{}…", "x".repeat(299))),
    ] {
        let details = Details { stack: vec![line.to_owned()], logs: vec![line.to_owned()] };
        let letter = sent("\u{1}New issue", &details);
        assert_eq!(letter.text.matches(&format!("\n    {shown}\n")).count(), 2, "{}", letter.text);
        assert!(!letter.text.contains(['\u{1}', '\r']), "{}", letter.text);
        let html = letter.html.unwrap();
        assert!(!html.contains("<img") && !html.contains(['\u{1}', '\u{202e}']), "{html}");
        assert_eq!(html.matches("href=").count(), html.matches("href=\"https://errors.example/").count());
    }
    let lines: Vec<String> = (0..40).map(|number| format!("{number} {}", "é".repeat(140))).collect();
    let (full, bare) = (sent("a", &Details::new(lines.clone(), lines)), sent("a", &Details::default()));
    let room = full.text.len() - bare.text.len();
    assert!((1_500..2_300).contains(&room), "{room}");
}
