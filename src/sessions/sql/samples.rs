//! For tests: a session to create.

use super::NewSession;
use crate::ids::OrganizationId;
use crate::sessions::caps::Caps;
use crate::sessions::{Mode, Origin, SessionType};

/// A session of an organization that an API key asks for, without a repository, an issue or labels.
pub(crate) fn new_session(organization: OrganizationId) -> NewSession {
    NewSession {
        organization,
        repository: None,
        automation: None,
        project: None,
        issue: None,
        created_by: None,
        parent: None,
        session_type: SessionType::Coding,
        origin: Origin::Api,
        title: "x".to_owned(),
        prompt: "x".to_owned(),
        agent_type: "agent".to_owned(),
        model_id: None,
        labels: Vec::new(),
        time_limit_minutes: 60,
        caps: Caps::default(),
        agentic_repo: false,
        mode: Mode::Write,
        is_public: false,
    }
}
