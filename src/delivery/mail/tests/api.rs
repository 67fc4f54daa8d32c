//! Mail through the HTTP API.

use super::*;
use serde_json::{Value, json};

#[tokio::test]
async fn a_letter_is_posted_with_key_and_idempotency_key() {
    let server = Http::start(200, r#"{"id":"x"}"#);
    Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter()).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    for part in [
        "post /emails?x=1 http/1.1",
        &format!("host: 127.0.0.1:{}", server.port),
        "authorization: bearer re_canary",
        "idempotency-key: 0000-key",
        "content-type: application/json",
    ] {
        assert!(head.contains(part), "{part}: {head}");
    }
    let letter = letter();
    let expected = json!({
        "from": "Mäyday <mayday@corp.example>",
        "to": ["ada@corp.example"],
        "subject": letter.subject,
        "text": letter.text,
    });
    assert_eq!(serde_json::from_str::<Value>(body).unwrap(), expected);
}

#[tokio::test]
async fn errors_about_the_mail_are_permanent_and_others_are_not() {
    for (status, permanent) in
        [(422, true), (400, true), (401, false), (403, false), (404, false), (429, false), (500, false)]
    {
        let server = Http::start(status, "{\"message\":\"The key re_canary\\r\\nis odd\"}");
        let failure =
            Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter()).await.unwrap_err();
        assert_eq!(failure.permanent, permanent, "{failure:?}");
        assert_eq!(failure.text, format!("the mail API answered {status}: The key …is odd"));
    }
}

#[tokio::test]
async fn a_mail_that_the_api_accepted_before_with_other_words_counts_as_sent() {
    for (name, taken) in [("invalid_idempotent_request", true), ("concurrent_idempotent_requests", false)] {
        let body = format!("{{\"name\":\"{name}\",\"message\":\"x\"}}");
        let server = Http::start(409, body.leak());
        let sent = Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter()).await;
        assert_eq!(sent.is_ok(), taken, "{name}: {sent:?}");
    }
}

#[tokio::test]
async fn only_the_beginning_of_a_large_answer_is_read() {
    static LONG: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "x".repeat(3 << 20));
    for (status, taken) in [(200, true), (500, false), (422, false)] {
        let server = Http::start(status, &LONG);
        let sent = Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter()).await;
        assert_eq!(sent.is_ok(), taken, "{status}: {sent:?}");
        if let Err(failure) = sent {
            assert_eq!(failure.text, format!("the mail API answered {status}"));
            assert_eq!(failure.permanent, status == 422);
        }
    }
    let server = Http::start(500, "<html>");
    let failure =
        Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter()).await.unwrap_err();
    assert_eq!(failure.text, "the mail API answered 500");
}

#[tokio::test]
async fn a_mail_with_html_has_both_parts_and_its_thread() {
    let server = Http::start(200, r#"{"id":"x"}"#);
    let html = Some("<p>Zeile eins</p>".to_owned());
    let letter = Letter { html, thread: Some("issue-7@errors.example".into()), ..letter() };
    Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter).await.unwrap();
    let requests = server.requests();
    let (_, body) = requests[0].split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["html"], "<p>Zeile eins</p>");
    let headers =
        json!({ "In-Reply-To": "<issue-7@errors.example>", "References": "<issue-7@errors.example>" });
    assert_eq!(body["headers"], headers);
}

#[tokio::test]
async fn mails_that_can_be_unsubscribed_say_how() {
    let server = Http::start(200, r#"{"id":"x"}"#);
    let letter = Letter { unsubscribe: Some("https://errors.example/u?token=7.error.00".into()), ..letter() };
    Mailer::new(&over_api(server.port), &Client::new()).unwrap().send(&letter).await.unwrap();
    let requests = server.requests();
    let (_, body) = requests[0].split_once("\r\n\r\n").unwrap();
    let headers = json!({
        "List-Unsubscribe": "<https://errors.example/u?token=7.error.00>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    assert_eq!(serde_json::from_str::<Value>(body).unwrap()["headers"], headers);
}
