//! What an agent asks before it does it.

use super::schema::{
    PermissionOption, PermissionOptionId, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, ToolKind,
};
use agent_client_protocol::v1::Responder;

/// Words by which people answer.
const ALLOWING: [&str; 5] = ["allow", "allowed", "yes", "ok", "y"];
const REFUSING: [&str; 6] = ["refuse", "refused", "deny", "reject", "no", "n"];
/// Bytes of an option's id: the agent gets it back.
const ID_MAX: usize = 1 << 10;
/// Characters of a title.
const SHOWN: usize = 300;

/// A request for permission that nobody has answered.
pub(super) struct Permission {
    /// What the agent wants to do.
    pub(super) title: String,
    kind: ToolKind,
    /// What the agent calls that it may this once, and that it may not.
    allowing: Option<PermissionOptionId>,
    refusing: Option<PermissionOptionId>,
    responder: Responder<RequestPermissionResponse>,
}

impl Permission {
    pub(super) fn new(
        request: RequestPermissionRequest,
        responder: Responder<RequestPermissionResponse>,
    ) -> Self {
        use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};
        let fields = request.tool_call.fields;
        let command = fields.raw_input.as_ref().and_then(|input| input["command"].as_str());
        let title = match (fields.title, command) {
            (Some(title), Some(command)) if !title.contains(command) => format!("{title}: {command}"),
            (Some(title), _) => title,
            (None, Some(command)) => command.to_owned(),
            (None, None) => "something that it does not name".to_owned(),
        };
        Self {
            title: crate::text::line(&title, SHOWN),
            kind: fields.kind.unwrap_or_default(),
            allowing: first(&request.options, [AllowOnce, AllowAlways]),
            refusing: first(&request.options, [RejectOnce, RejectAlways]),
            responder,
        }
    }

    /// Whether it is about what a room bounds anyway. Leaving a mode, and whatever has no name, is for people.
    pub(super) fn is_decided_by_a_room(&self) -> bool {
        use ToolKind::{Delete, Edit, Execute, Fetch, Move, Read, Search, Think};
        matches!(self.kind, Read | Edit | Delete | Move | Search | Execute | Think | Fetch)
    }

    /// Allows it this once, or refuses it.
    pub(super) fn answer(self, is_allowed: bool) {
        let chosen = if is_allowed { self.allowing } else { self.refusing };
        let outcome = chosen.map_or(RequestPermissionOutcome::Cancelled, |option| {
            RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option))
        });
        // An agent that has ended needs no answer.
        drop(self.responder.respond(RequestPermissionResponse::new(outcome)));
    }

    /// The agent was told to stop.
    pub(super) fn cancel(self) {
        let outcome = RequestPermissionOutcome::Cancelled;
        drop(self.responder.respond(RequestPermissionResponse::new(outcome)));
    }
}

/// The option of the first of these kinds that there is.
fn first(options: &[PermissionOption], kinds: [PermissionOptionKind; 2]) -> Option<PermissionOptionId> {
    let of = |kind: PermissionOptionKind| options.iter().find(|option| option.kind == kind);
    let option = kinds.into_iter().find_map(of)?;
    (option.option_id.0.len() <= ID_MAX).then(|| option.option_id.clone())
}

/// What a person's message says to a request; `None`: something else.
pub(super) fn verdict(message: &str) -> Option<bool> {
    let word = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    let is_one_of = |words: &[&str]| words.contains(&word.as_str());
    is_one_of(&ALLOWING).then_some(true).or(is_one_of(&REFUSING).then_some(false))
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn a_single_word_decides() {
        for (message, decided) in [
            ("Allow", Some(true)),
            (" yes. ", Some(true)),
            ("Refuse", Some(false)),
            ("NO!", Some(false)),
            ("no, use the other file", None),
            ("allow everything", None),
            ("", None),
        ] {
            assert_eq!(verdict(message), decided, "{message}");
        }
    }
}
