//! Calls of automations, and a runner that does their work.

use super::{LOOKS, TestServer};
use crate::automations;
use crate::time::Timestamp;
use std::time::Duration;

impl TestServer {
    /// Waits until an issue has called an automation, and calls a scheduled one that is due.
    pub(super) async fn called(&mut self) {
        let later = Timestamp::now().plus(crate::time::HOUR);
        automations::jobs::call_due(&self.app.sessions, later).await.unwrap();
        for _ in 0..LOOKS {
            let list = self.ask("me GET /api/automations/{automation_id}/events").await.1;
            let events = list["events"].as_array().unwrap();
            let has = |kind: &str| events.iter().any(|event| event["kind"] == kind);
            if has("issue.created") && has("schedule") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("nothing has called the automation");
    }

    /// A runner claims the waiting sessions and makes every kind of call about them.
    pub(super) async fn run_agents(&mut self) {
        for number in 0.. {
            let (status, answer) = self.ask("runner POST /api/runners/self/claim {}").await;
            if number > 0 && status == 204 {
                return;
            }
            if status == 200 {
                for (name, pointer) in [("agent_session_id", "/job/session_id"), ("lease", "/job/lease")] {
                    self.known.insert(
                        name.to_owned(),
                        answer.pointer(pointer).unwrap().as_str().unwrap().to_owned(),
                    );
                }
            }
            for (call, body) in [
                ("renew", r#"{"lease":"{lease}"}"#),
                ("output", r#"{"lease":"{lease}","sequence":0,"entries":[{"content":"x"}]}"#),
                ("renew", r#"{"lease":"{lease}","seen":1000}"#),
            ] {
                let line =
                    format!("runner POST /api/runners/self/sessions/{{agent_session_id}}/{call} {body}");
                assert_eq!(self.ask(&line).await.0, 200, "{line}");
            }
            for (status, wanted) in [("paused", "pause"), ("running", "resume")] {
                let line = format!(r#"me PATCH /api/sessions/{{agent_session_id}} {{"status":"{status}"}}"#);
                assert_eq!(self.ask(&line).await.1["session"]["wanted"], wanted);
            }
            let outcome = ["completed", "failed", "handed_back"][number.min(2)];
            let report = format!(
                r#"{{"lease":"{{lease}}","outcome":"{outcome}","pull_request_url":"https://git.example/{number}"}}"#
            );
            let line = format!("runner POST /api/runners/self/sessions/{{agent_session_id}}/finish {report}");
            assert_eq!(self.ask(&line).await.0, 200, "{line}");
            if number >= 2 {
                let line = r#"me PATCH /api/sessions/{agent_session_id} {"status":"stopped"}"#;
                assert_eq!(self.ask(line).await.0, 200);
            }
        }
    }
}
