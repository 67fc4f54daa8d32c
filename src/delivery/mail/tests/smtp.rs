//! Mail over SMTP.

use super::*;

async fn send(config: &MailConfig) -> Result<(), Failure> {
    Mailer::new(config, &Client::new()).unwrap().send(&letter()).await
}

#[tokio::test]
async fn a_mail_arrives_unchanged() {
    let server = Smtp::start("250 fine");
    send(&over_smtp(server.port)).await.unwrap();
    let mails = server.mails();
    assert_eq!(mails.len(), 1);
    for part in [
        "EHLO corp.example\n",
        "MAIL FROM:<mayday@corp.example>",
        "RCPT TO:<ada@corp.example>",
        "From: =?utf-8?b?TcOkeWRheQ==?= <mayday@corp.example>\n",
        "To: ada@corp.example\n",
        "Subject: =?utf-8?b?",
        "Message-ID: <0000-key@corp.example>\n",
        "Date: Fri, 21 Nov 2025",
        "Content-Type: text/plain; charset=utf-8\n",
        "https://errors.example/register?token=abc",
    ] {
        assert!(mails[0].contains(part), "{part}: {}", mails[0]);
    }
    assert!(!mails[0].contains("AUTH"));
}

#[tokio::test]
async fn a_refused_recipient_is_final_and_a_busy_server_is_not() {
    for (answer, permanent) in [
        ("550 5.1.1 no such mailbox", true),
        ("553 name not allowed", true),
        ("451 try later", false),
        ("535 who are you", false),
    ] {
        let server = Smtp::start(answer);
        let failure = send(&over_smtp(server.port)).await.unwrap_err();
        assert_eq!(failure.permanent, permanent, "{failure:?}");
        assert!(failure.text.contains(&answer[4..]), "{failure:?}");
        assert!(server.mails().is_empty());
    }
}

#[tokio::test]
async fn a_password_is_sent_without_tls_only_to_this_machine() {
    let server = Smtp::start("250 fine");
    let url = format!("smtp://ada%40corp.example:p%2Fw@localhost:{}", server.port);
    send(&config(&[("SERVICE_MAIL_SMTP_URL", &url)])).await.unwrap();
    assert!(server.mails()[0].contains("AUTH PLAIN"), "{:?}", server.mails());
    // Another name for this machine that is not recognized as one: STARTTLS is required, and not offered.
    let url = format!("smtp://u:canary@0.0.0.0:{}", server.port);
    let failure = send(&config(&[("SERVICE_MAIL_SMTP_URL", &url)])).await.unwrap_err();
    assert!(!failure.permanent && failure.text.contains("STARTTLS"), "{failure:?}");
    assert!(!failure.text.contains("canary") && server.mails().len() == 1);
}

#[tokio::test]
async fn without_a_password_any_server_is_accepted() {
    let server = Smtp::start("250 fine");
    let url = format!("smtp://0.0.0.0:{}", server.port);
    send(&config(&[("SERVICE_MAIL_SMTP_URL", &url)])).await.unwrap();
    let url = format!("smtps://127.0.0.1:{}", server.port);
    assert!(!send(&config(&[("SERVICE_MAIL_SMTP_URL", &url)])).await.unwrap_err().permanent);
    assert_eq!(server.mails().len(), 1);
}

#[tokio::test]
async fn a_mail_with_html_has_both_parts_and_its_thread() {
    let server = Smtp::start("250 fine");
    let html = Some("<p>Zeile eins</p>".to_owned());
    let letter = Letter { html, thread: Some("issue-7@errors.example".into()), ..letter() };
    Mailer::new(&over_smtp(server.port), &Client::new()).unwrap().send(&letter).await.unwrap();
    let mails = server.mails();
    for part in [
        "Content-Type: multipart/alternative;",
        "Content-Type: text/plain; charset=utf-8\n",
        "Content-Type: text/html; charset=utf-8\n",
        "<p>Zeile eins</p>",
        "In-Reply-To: <issue-7@errors.example>\n",
        "References: <issue-7@errors.example>\n",
        "Message-ID: <0000-key@corp.example>\n",
    ] {
        assert!(mails[0].contains(part), "{part}: {}", mails[0]);
    }
    let place = |part: &str| mails[0].find(part).unwrap();
    assert!(place("text/plain") < place("text/html"), "the last one is the best");
}

#[tokio::test]
async fn mails_that_can_be_unsubscribed_say_how() {
    let server = Smtp::start("250 fine");
    // The longest links that occur.
    let url =
        format!("https://errors.example/api/v1/notifications/unsubscribe?token=7.error.{}", "0".repeat(64));
    let letter = Letter { unsubscribe: Some(url.clone()), ..letter() };
    Mailer::new(&over_smtp(server.port), &Client::new()).unwrap().send(&letter).await.unwrap();
    let mails = server.mails();
    for part in [
        format!("List-Unsubscribe: <{url}>\n"),
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\n".to_owned(),
    ] {
        assert!(mails[0].contains(&part), "{part}: {}", mails[0]);
    }
}
