//! The texts of mails.

use super::*;
use crate::config::BaseUrl;
use crate::delivery::mail::messages::{self, Invitation, Link};
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
fn a_name_is_a_name_and_nothing_else() {
    let long = "x".repeat(500);
    for (name, shown) in [
        ("Acme\r\nBcc: eve@evil.example\r\n\r\nHello", "Acme Bcc: eve@evil.example Hello"),
        ("win at https://evil.example now", "win at https evil.example now"),
        ("\u{202e}emcA\u{200b}", "emcA"),
        ("  Acme\t &  Söhne\u{0} ", "Acme & Söhne"),
        (long.as_str(), &long[..80]),
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
