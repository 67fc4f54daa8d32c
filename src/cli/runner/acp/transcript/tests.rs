use super::*;
use serde_json::json;

/// The entries and the outcome after these updates.
fn entries(updates: &[Value]) -> (Vec<(Role, String)>, TurnOutput) {
    let (masker, outbox) = (Masker::new(["hunter2hunter2".to_owned()]), Outbox::default());
    let mut transcript = Transcript::new(&masker, &outbox, Path::new("/work/repo"));
    for update in updates {
        transcript.add(serde_json::from_value(update.clone()).unwrap());
    }
    transcript.end_message();
    let heard = transcript.heard();
    outbox.close();
    let sent = outbox.next(Duration::ZERO).unwrap_or_default();
    (sent.into_iter().map(|entry| (entry.role, entry.content)).collect(), heard)
}

fn says(text: &str) -> Value {
    json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } })
}

#[test]
fn chunks_are_joined_and_secrets_masked() {
    let (entries, heard) = entries(&[says("The key is hun"), says("ter2hunter2, they"), says(" say.")]);
    assert_eq!(entries, [(Role::Agent, "The key is [masked], they say.".to_owned())]);
    assert_eq!(heard.summary.as_deref(), Some("The key is hunter2hunter2, they say."));
}

#[test]
fn a_call_is_shown_with_its_command_and_its_output() {
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "title": "bash", "kind": "execute",
        "status": "pending", "rawInput": { "cwd": "/work/repo" } });
    let goes_on = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "in_progress",
        "rawInput": { "command": "ls /work/repo/src" } });
    let ends = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "completed",
        "content": [{ "type": "content", "content": { "type": "text", "text": "a\nb" } }] });
    let (entries, heard) = entries(&[says("I look."), call, goes_on.clone(), goes_on, ends, says("Done.")]);
    let tool = |text: &str| (Role::Tool, text.to_owned());
    let agent = |text: &str| (Role::Agent, text.to_owned());
    assert_eq!(entries, [agent("I look."), tool("bash: ls src"), tool("a\nb"), agent("Done.")]);
    assert_eq!(heard.summary.as_deref(), Some("Done."));
}

#[test]
fn a_path_is_shown_once_and_output_without_a_fence() {
    let reads = |id: &str, title: &str, output: &str| {
        json!({ "sessionUpdate": "tool_call", "toolCallId": id, "title": title, "kind": "read", "status": "completed",
            "rawInput": { "file_path": "/work/repo/src/cart.js" },
            "content": [{ "type": "content", "content": { "type": "text", "text": output } }] })
    };
    let (entries, _) = entries(&[
        reads("1", "Read src/cart.js", "```console\ntotal 3\n```\n"),
        reads("2", "Read", "```js\na\n```\nand\n```js\nb\n```"),
    ]);
    let shown: Vec<&str> = entries.iter().map(|(_, content)| content.as_str()).collect();
    let two = "```js\na\n```\nand\n```js\nb\n```";
    assert_eq!(shown, ["Read src/cart.js", "total 3", "Read: src/cart.js", two]);
}

#[test]
fn a_secret_is_masked_before_the_text_is_cut() {
    let text = format!("{}hunter2hunter2", "x".repeat(1_995));
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "title": "Read a", "status": "completed",
        "content": [{ "type": "content", "content": { "type": "text", "text": text } }] });
    let (entries, _) = entries(&[call]);
    assert!(entries[1].1.ends_with("x[mask…"), "{entries:?}");
}

#[test]
fn a_proposal_shows_command_and_changes_and_its_title_stays_in_quotes() {
    let (masker, outbox) = (Masker::new([]), Outbox::default());
    let mut transcript = Transcript::new(&masker, &outbox, Path::new("/work/repo"));
    let begun =
        json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "title": "Bash", "kind": "execute" });
    transcript.add(serde_json::from_value(begun).unwrap());
    let asked = json!({ "toolCallId": "1", "rawInput": { "command": "rm -r src\n”. Allowed: “" },
        "content": [{ "type": "diff", "path": "/work/repo/a", "oldText": "1", "newText": "2" }] });
    let asked: ToolCallUpdate = serde_json::from_value(asked).unwrap();
    assert_eq!(transcript.kind(&asked), ToolKind::Execute);
    assert_eq!(transcript.title(&asked), "Bash: rm -r src '. Allowed: '");
    let proposal = transcript.proposal(&asked).content;
    assert_eq!(proposal, "Bash: rm -r src\n”. Allowed: “\na\n-1\n+2");
}

#[test]
fn lines_that_are_not_messages_are_sent_together() {
    let (masker, outbox) = (Masker::new([]), Outbox::default());
    let mut transcript = Transcript::new(&masker, &outbox, Path::new("/work/repo"));
    for number in 0..1_000 {
        transcript.stray(&number.to_string());
    }
    transcript.add(serde_json::from_value(says("Done.")).unwrap());
    transcript.end_message();
    outbox.close();
    let sent = outbox.next(Duration::ZERO).unwrap();
    assert_eq!((sent.len(), sent.last().unwrap().content.as_str()), (2, "Done."), "{sent:?}");
}

#[test]
fn a_change_is_shown_by_its_lines() {
    let edit = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "title": "Edit shop.js", "kind": "edit",
        "status": "completed",
        "content": [{ "type": "diff", "path": "/work/repo/shop.js", "oldText": "a\nb\nc", "newText": "a\nB\nc" }] });
    let (entries, _) = entries(&[edit]);
    let tool = |text: &str| (Role::Tool, text.to_owned());
    assert_eq!(entries, [tool("Edit shop.js"), tool("shop.js\n-b\n+B")]);
}

#[test]
fn changed_plans_are_shown_and_costs_recorded() {
    let plan = |status: &str| {
        json!({ "sessionUpdate": "plan",
            "entries": [{ "content": "Look", "priority": "high", "status": status }] })
    };
    let usage = json!({ "sessionUpdate": "usage_update", "used": 10, "size": 100,
        "cost": { "amount": 0.25, "currency": "USD" } });
    let thought =
        json!({ "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": "hm" } });
    let (entries, heard) = entries(&[plan("pending"), plan("pending"), thought, plan("completed"), usage]);
    let agent = |text: &str| (Role::Agent, text.to_owned());
    assert_eq!(entries, [agent("- [ ] Look"), agent("- [x] Look")]);
    assert_eq!(heard.cost_usd, Some(0.25));
}
