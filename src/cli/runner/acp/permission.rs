//! An agent's requests for permission.

use super::lines::ID_MAX;
use super::schema::{
    PermissionOption, PermissionOptionId, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, ToolCallUpdate, ToolKind,
};
use agent_client_protocol::v1::Responder;

/// The words with which people allow or refuse.
const ALLOWING: [&str; 5] = ["allow", "allowed", "yes", "ok", "y"];
const REFUSING: [&str; 6] = ["refuse", "refused", "deny", "reject", "no", "n"];

/// An open request for permission.
pub(super) struct Permission {
    /// The tool call for which permission is requested.
    pub(super) call: ToolCallUpdate,
    /// The agent's options to allow once, to allow always, and to refuse.
    once: Option<PermissionOptionId>,
    always: Option<PermissionOptionId>,
    never: Option<PermissionOptionId>,
    responder: Responder<RequestPermissionResponse>,
}

impl Permission {
    pub(super) fn new(
        request: RequestPermissionRequest,
        responder: Responder<RequestPermissionResponse>,
    ) -> Self {
        use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};
        let of = |kind| first(&request.options, kind);
        Self {
            once: of(AllowOnce),
            always: of(AllowAlways),
            never: of(RejectOnce).or_else(|| of(RejectAlways)),
            call: request.tool_call,
            responder,
        }
    }

    /// Allows the call as often as possible, because the room limits it anyway. Returns whether the agent offers an
    /// option for that.
    pub(super) fn allow_in_room(self) -> bool {
        let option = self.once.or(self.always);
        respond(self.responder, option)
    }

    /// Allows the call once, or refuses it. Returns whether the agent offers an option for that.
    pub(super) fn answer(self, is_allowed: bool) -> bool {
        respond(self.responder, if is_allowed { self.once } else { self.never })
    }

    /// Answers that the prompt was cancelled.
    pub(super) fn cancel(self) {
        respond(self.responder, None);
    }
}

/// Whether a room limits what tools of this kind can do. People decide on leaving a mode and on calls without a kind.
pub(super) fn is_decided_by_a_room(kind: ToolKind) -> bool {
    use ToolKind::{Delete, Edit, Execute, Fetch, Move, Read, Search, Think};
    matches!(kind, Read | Edit | Delete | Move | Search | Execute | Think | Fetch)
}

fn respond(responder: Responder<RequestPermissionResponse>, option: Option<PermissionOptionId>) -> bool {
    let has_option = option.is_some();
    let outcome = option.map_or(RequestPermissionOutcome::Cancelled, |option| {
        RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option))
    });
    // Sending fails if the agent has ended, and then no answer is needed.
    drop(responder.respond(RequestPermissionResponse::new(outcome)));
    has_option
}

fn first(options: &[PermissionOption], kind: PermissionOptionKind) -> Option<PermissionOptionId> {
    let option = options.iter().find(|option| option.kind == kind)?;
    (option.option_id.0.len() <= ID_MAX).then(|| option.option_id.clone())
}

/// Whether a message allows or refuses the request with this number; `None` if it is something else. The number is
/// optional.
pub(super) fn verdict(message: &str, number: usize) -> Option<bool> {
    let words = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    let mut words = words.split_whitespace();
    let (word, of) = (words.next()?, words.next());
    if words.next().is_some() || of.is_some_and(|of| of != number.to_string()) {
        return None;
    }
    ALLOWING.contains(&word).then_some(true).or(REFUSING.contains(&word).then_some(false))
}

/// Whether a message answers a request of any number.
pub(super) fn is_verdict(message: &str) -> bool {
    let number =
        message.split_whitespace().nth(1).and_then(|word| word.trim_end_matches(['.', '!']).parse().ok());
    number.is_some_and(|number| verdict(message, number).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_decides_with_or_without_the_number_of_the_request() {
        for (message, decided) in [
            ("Allow", Some(true)),
            (" yes. ", Some(true)),
            ("Allow 3", Some(true)),
            ("refuse 3.", Some(false)),
            ("allow 2", None),
            ("Refuse", Some(false)),
            ("NO!", Some(false)),
            ("no, use the other file", None),
            ("allow everything", None),
            ("", None),
        ] {
            assert_eq!(verdict(message, 3), decided, "{message}");
        }
        assert!(is_verdict("Allow 2") && !is_verdict("Allow") && !is_verdict("use 2 files"));
    }
}
