//! How mail is sent.

use super::*;

const FROM: (&str, &str) = ("MAIL_FROM_EMAIL", "Mayday <mayday@corp.example>");

#[test]
fn a_sender_alone_has_no_effect() {
    assert!(read(&[FROM]).unwrap().mail.is_none());
    assert!(read(&[("SERVICE_MAIL_API_URL", "https://mail.example/send")]).unwrap().mail.is_none());
}

#[test]
fn the_mail_api_has_a_default_address() {
    let api = |more: &[(&str, &str)]| {
        let values: Vec<_> = [FROM, ("MAIL_API_KEY", "re_canary")].iter().chain(more).copied().collect();
        let config = read(&values).unwrap();
        assert!(!format!("{config:?}").contains("canary"));
        let warnings = config.warnings().len();
        let mail = config.mail.unwrap();
        assert_eq!(mail.from, FROM.1);
        match mail.way {
            MailWay::Api { url, key } if key.as_str() == "re_canary" => (url, warnings),
            way => panic!("{way:?}"),
        }
    };
    assert_eq!(api(&[]), ("https://api.resend.com/emails".into(), 0));
    assert_eq!(api(&[("SERVICE_MAIL_API_URL", "http://localhost:1/x")]), ("http://localhost:1/x".into(), 0));
    assert_eq!(api(&[("SERVICE_MAIL_API_URL", "http://mail.example/")]), ("http://mail.example/".into(), 1));
    let text = refusal(&[FROM, ("MAIL_API_KEY", "schlüssel")]);
    assert!(text.contains("MAIL_API_KEY") && !text.contains("schl"), "{text}");
}

#[test]
fn mail_is_sent_one_way_and_needs_a_sender() {
    let (key, smtp) = (("MAIL_API_KEY", "canary"), ("SERVICE_MAIL_SMTP_URL", "smtp://mail.example"));
    let text = refusal(&[FROM, key, smtp]);
    assert!(text.contains(key.0) && text.contains(smtp.0) && !text.contains("canary"), "{text}");
    for way in [key, smtp] {
        let text = refusal(&[way]);
        assert!(text.contains(way.0) && text.contains("MAIL_FROM_EMAIL"), "{text}");
    }
}

#[test]
fn an_smtp_address_is_secret_as_a_whole() {
    for good in [
        "smtp://mail.example",
        "smtp://127.0.0.1:2525",
        "smtp://mail.example:2525?tls=required",
        "smtps://ada%40corp.example:canary%2F@mail.example:465",
        "smtp://[::1]:25/",
    ] {
        let config = read(&[FROM, ("SERVICE_MAIL_SMTP_URL", good)]).unwrap();
        assert!(!format!("{config:?}").contains("canary"));
        let Some(MailConfig { way: MailWay::Smtp(url), .. }) = config.mail else { panic!("{good}") };
        assert_eq!(url.as_str(), good);
    }
    for bad in [
        "canary.example:25",
        "http://canary.example",
        "smtp://canary.example/path",
        "smtp://canary.example?tls=none",
        "smtp://canary.example?tls=required&x",
        "smtps://canary.example?tls=required",
        "smtp://canary@mail.example",
        "smtp://:canary@mail.example",
        "smtp://a:%ffcanary@mail.example",
        "smtp://",
    ] {
        let text = refusal(&[FROM, ("SERVICE_MAIL_SMTP_URL", bad)]);
        assert!(text.contains("SERVICE_MAIL_SMTP_URL") && text.contains("smtps://"), "{text}");
        assert!(!text.contains("canary"), "{text}");
    }
}

#[test]
fn a_sender_is_an_address_with_or_without_a_name() {
    for good in ["mayday@corp.example", "\"Mayday\" <m@corp.example>"] {
        assert!(read(&[("MAIL_FROM_EMAIL", good)]).is_ok(), "{good}");
    }
    for bad in ["mayday", "Mayday <mayday>", "Mayday <m@corp.example", "a@b.example, c@d.example", "<>"] {
        assert!(refusal(&[("MAIL_FROM_EMAIL", bad)]).contains("mayday@example.com"), "{bad}");
    }
}
