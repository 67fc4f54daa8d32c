//! What a caller was when the request came, to be asked again in the transaction that acts on it: a
//! body may arrive long after its head, and two may act at once.

pub mod sql;

use crate::ids::{OrganizationId, UserId};
use crate::roles::Role;

/// How a person is known.
#[derive(Debug, Clone, Copy)]
pub enum Proof {
    /// By the hash of a session's token,
    Session([u8; 32]),
    /// or of a personal access token.
    Token([u8; 32]),
}

/// A person who may act, as far as was known when the request came.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub user: UserId,
    pub proof: Proof,
    pub single_org: bool,
    /// Where they act, and the least role that it needs.
    pub within: Option<(OrganizationId, Role)>,
}
