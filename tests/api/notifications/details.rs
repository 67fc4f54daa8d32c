//! The content of mails about issues.

use crate::alerts::now;
use crate::alerts::receiver::{ReceivedRequest, Receiver};
use crate::support::{Project, Value, World, eventually, json};
use std::sync::Arc;

/// A project whose mails go to this receiver.
fn mailed(receiver: &Receiver) -> Project {
    let url = receiver.url.replace("/hooks/a", "/emails");
    let variables = [
        ("MAIL_API_KEY", "the-key-of-the-mail-service"),
        ("MAIL_FROM_EMAIL", "mayday@example.com"),
        ("SERVICE_MAIL_API_URL", url.as_str()),
    ];
    Project::in_world(Arc::new(World::start_with(&variables)), "Shop")
}

/// The mails whose subjects begin like this, once there are so many.
fn mails(receiver: &Receiver, subject: &str, count: usize) -> Vec<Value> {
    eventually("the mails", || {
        let all: Vec<Value> = receiver.got(0).iter().map(ReceivedRequest::body).collect();
        let of: Vec<Value> =
            all.into_iter().filter(|mail| mail["subject"].as_str().unwrap().starts_with(subject)).collect();
        (of.len() >= count).then_some(of)
    })
}

fn write_logs(project: &Project, logs: &[Value]) {
    let body = json!({"api_key": project.key, "logs": logs});
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    eventually("the entries to be found", || {
        let list = project.owner.get(&project.path("/logs")).send().expect(200);
        (list["total"] == logs.len()).then_some(())
    });
}

fn entry(before: f64, message: &str) -> Value {
    json!({"timestamp": now() - before, "level": "warn", "logger_name": "pay", "trace_id": "7f", "message": message})
}

#[test]
fn a_mail_has_the_place_of_the_error_and_the_logs_before_it() {
    let receiver = Receiver::start(&[]);
    let project = mailed(&receiver);
    let password = format!("card 4111 1111 1111 1111 {}", "y".repeat(9_000));
    write_logs(
        &project,
        &[entry(9.0, "<b>tried</b>"), entry(8.0, &password), entry(7.0, "שלום \u{202e}x\r\nBcc: e")],
    );
    let frames = json!([
        {"function": "send", "filename": "https://cdn.example/node_modules/http/index.js", "lineno": 1, "colno": 2},
        {"function": "pay", "filename": "https://shop.example/cart.js", "lineno": 7, "colno": 3},
    ]);
    let event =
        json!({"trace_id": "7f", "exception": {"type": "E", "message": "no amount", "frames": frames}});
    project.digest(&event);
    let mail = mails(&receiver, "New issue", 1).remove(0);
    let (text, html) = (mail["text"].as_str().unwrap(), mail["html"].as_str().unwrap());
    let (_, details) = text.split_once("Where it was thrown:\n    at pay (").unwrap();
    let (stack, logs) = details.split_once("The last log entries of its trace:\n").unwrap();
    assert!(!stack.contains("node_modules"), "{text}");
    let logs: Vec<&str> = logs.lines().take_while(|line| line.starts_with("    ")).collect();
    assert_eq!(logs.len(), 3, "{text}");
    assert!(logs[0].ends_with(" warn pay: <b>tried</b>"), "{text}");
    assert!(!logs[1].contains("4111 1111") && logs[1].chars().count() < 310, "{text}");
    assert!(logs[2].contains("שלום") && !text.contains('\u{202e}'), "{text}");
    assert!(html.contains("&lt;b&gt;tried") && !html.contains("<b>"), "{html}");
    let issue = project.issue();
    project.change(&issue, &json!({"status": "resolved"}));
    project.digest(&event);
    let mail = mails(&receiver, "Regressed", 1).remove(0);
    assert!(mail["text"].as_str().unwrap().contains("    at pay ("), "{mail}");
}

#[test]
fn a_mail_of_an_error_without_frames_or_a_trace_is_whole_all_the_same() {
    let receiver = Receiver::start(&[]);
    let project = mailed(&receiver);
    project.digest(&json!({"message": "no amount"}));
    let mail = mails(&receiver, "New issue", 1).remove(0);
    for part in ["text", "html"] {
        let said = mail[part].as_str().unwrap();
        assert!(!said.contains("thrown") && !said.contains("log entries"), "{said}");
        assert!(!said.contains('\u{1}') && said.contains("/account/notifications/preferences"), "{said}");
    }
}

#[test]
fn a_mail_sent_after_its_issue_was_deleted_has_no_details() {
    let receiver = Receiver::start(&["500 X"]);
    let project = mailed(&receiver);
    let frames =
        json!([{"function": "pay", "filename": "https://shop.example/cart.js", "lineno": 7, "colno": 3}]);
    project.digest(&json!({"exception": {"type": "E", "message": "no amount", "frames": frames}}));
    assert!(mails(&receiver, "New issue", 1)[0]["text"].as_str().unwrap().contains("at pay ("));
    project.owner.delete(&project.issue_path(&project.issue())).send().expect(204);
    let again = mails(&receiver, "New issue", 2).remove(1);
    let text = again["text"].as_str().unwrap();
    assert!(!text.contains("at pay (") && !text.contains("thrown"), "{text}");
}
