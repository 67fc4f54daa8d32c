//! The operator's commands to a running server: HTTP over `control.sock` (0600) in the data directory.
//!
//! Whoever can open the socket owns the data directory, so only the caller's user id is checked. If no server
//! is running, the command line uses the data directory itself (`cli/user.rs`).

mod body;
mod client;
mod server;
pub(crate) mod snapshot;

pub use client::{ask, copy_snapshot};
pub use server::Control;
pub use snapshot::{CallerDirectory, Snapshot, Snapshots, Turn};

use crate::error::Result;
use crate::roles::Role;
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::time::Duration;

/// The socket's name in the data directory.
pub const FILE: &str = "control.sock";
/// How long the command line waits for an answer.
const ANSWERS: Duration = Duration::from_secs(30);

/// The paths of the socket.
const USERS: &str = "/users";
const DISABLE: &str = "/users/disable";
const ENABLE: &str = "/users/enable";
const RESET_LINK: &str = "/users/reset-link";
const SNAPSHOT: &str = "/snapshot";

/// The commands of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    UserAdd(NewUser),
    UserList,
    UserDisable(UserName),
    UserEnable(UserName),
    UserResetLink(UserName),
}

/// A person who gets an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    pub email: String,
    pub name: Option<String>,
    pub role: Role,
    /// The organization's slug.
    pub organization: Option<String>,
}

/// The account that a command is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserName {
    pub email: String,
}

/// The lines to print. A line may contain a link that is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub Vec<String>);

/// The commands on accounts. A running server handles them through its socket; without one, the command line
/// handles them itself on the data directory.
pub trait Users: Send + Sync + 'static {
    /// Creates an account without a password; the lines contain a link to set one. `organization` is a slug;
    /// by default, it is the only organization, if there is exactly one.
    fn add(
        &self,
        email: &str,
        name: Option<&str>,
        role: Role,
        organization: Option<&str>,
    ) -> impl Future<Output = Result<Lines>> + Send;
    fn list(&self) -> impl Future<Output = Result<Lines>> + Send;
    /// Disables an account and ends its sessions.
    fn disable(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
    fn enable(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
    /// A link to set a new password, for the operator to pass on; it is not mailed.
    fn reset_link(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
}

/// Performs a request.
pub async fn answer(users: &impl Users, request: &Request) -> Result<Lines> {
    match request {
        Request::UserAdd(NewUser { email, name, role, organization }) => {
            users.add(email, name.as_deref(), *role, organization.as_deref()).await
        }
        Request::UserList => users.list().await,
        Request::UserDisable(UserName { email }) => users.disable(email).await,
        Request::UserEnable(UserName { email }) => users.enable(email).await,
        Request::UserResetLink(UserName { email }) => users.reset_link(email).await,
    }
}

#[cfg(test)]
mod tests;
