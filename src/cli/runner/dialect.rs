//! Agents that print one JSON object per line: their messages, tool calls and cost.
//!
//! Claude Code's `stream-json` is parsed. Anything else is shown verbatim.

use super::protocol::{Entry, Role};
use serde_json::Value;

/// Characters shown of a tool's input or output.
const SHOWN: usize = 2_000;

/// What the output of a turn contained.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TurnOutput {
    pub(super) cost_usd: Option<f64>,
    /// The agent's last message.
    pub(super) summary: Option<String>,
}

impl TurnOutput {
    /// The entries for a line; `None` if it is not such an object.
    pub(super) fn line(&mut self, line: &str) -> Option<Vec<Entry>> {
        let value: Value = line.starts_with('{').then(|| serde_json::from_str(line).ok()).flatten()?;
        match value["type"].as_str()? {
            "assistant" | "user" => {
                Some(parts(&value["message"]["content"])?.iter().filter_map(entry).collect())
            }
            "result" => {
                self.cost_usd =
                    value["total_cost_usd"].as_f64().filter(|cost| cost.is_finite() && *cost >= 0.0);
                self.summary = value["result"].as_str().map(str::to_owned).filter(|text| !text.is_empty());
                Some(Vec::new())
            }
            "system" if value["subtype"].is_string() => Some(Vec::new()),
            _ => None,
        }
    }
}

fn parts(content: &Value) -> Option<&Vec<Value>> {
    content.as_array()
}

fn entry(part: &Value) -> Option<Entry> {
    let (role, content) = match part["type"].as_str()? {
        "text" => (Role::Agent, part["text"].as_str()?.to_owned()),
        "tool_use" => {
            let (name, input) = (part["name"].as_str()?, &part["input"]);
            let input = input["command"].as_str().map_or_else(|| input.to_string(), str::to_owned);
            (Role::Tool, format!("{name}: {}", shown(&input)))
        }
        "tool_result" => (Role::Tool, shown(&text_of(&part["content"]))),
        _ => return None,
    };
    (!content.is_empty()).then_some(Entry::said(role, None, content))
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The beginning of a tool's input or output.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(heard: &mut TurnOutput, value: &Value) -> Option<Vec<(Role, String)>> {
        let entries = heard.line(&value.to_string())?;
        Some(entries.into_iter().map(|entry| (entry.role, entry.content)).collect())
    }

    #[test]
    fn messages_and_tool_calls_are_distinguished() {
        let mut heard = TurnOutput::default();
        let content = json!([
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
            {"type": "thinking", "thinking": "hm"},
        ]);
        let message = json!({"type": "assistant", "message": {"content": content}});
        let wanted = vec![(Role::Agent, "I look.".to_owned()), (Role::Tool, "Bash: ls".to_owned())];
        assert_eq!(said(&mut heard, &message), Some(wanted));
        let content = json!([{"type": "tool_result", "content": [{"type": "text", "text": "a\nb"}]}]);
        let result = json!({"type": "user", "message": {"content": content}});
        assert_eq!(said(&mut heard, &result), Some(vec![(Role::Tool, "a\nb".to_owned())]));
        let end = json!({"type": "result", "total_cost_usd": 0.25, "result": "Done."});
        assert_eq!(said(&mut heard, &end), Some(vec![]));
        assert_eq!(heard, TurnOutput { cost_usd: Some(0.25), summary: Some("Done.".into()) });
    }

    #[test]
    fn other_lines_are_shown_as_they_are() {
        let mut heard = TurnOutput::default();
        for line in
            ["", "text", "{", "{}", "{\"type\":1}", "{\"type\":\"log\"}", "[1]", "{\"type\":\"assistant\"}"]
        {
            assert_eq!(heard.line(line), None, "{line}");
        }
        let odd = json!({"type": "result", "total_cost_usd": -1});
        assert_eq!(said(&mut heard, &odd), Some(vec![]));
        assert_eq!(heard, TurnOutput::default());
    }
}
