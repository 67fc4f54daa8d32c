//! What a caller was allowed to do when the request arrived. The transaction that acts on it checks again,
//! because a body may arrive long after its head, and two people may act at once.

pub mod sql;

use crate::ids::{OrganizationId, UserId};
use crate::roles::Role;

/// How a person was authenticated.
#[derive(Debug, Clone, Copy)]
pub enum Proof {
    /// By the hash of a session's token,
    Session([u8; 32]),
    /// or of a personal access token.
    Token([u8; 32]),
}

/// A person who may act, as of the moment when the request arrived.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub user: UserId,
    pub proof: Proof,
    pub single_org: bool,
    /// The organization they act in, and the lowest role that the action requires.
    pub within: Option<(OrganizationId, Role)>,
}
