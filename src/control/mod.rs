//! The operator's commands beside a running server: HTTP over `control.sock` (0600) in the data directory.
//!
//! Who may open the socket owns the data directory, so nothing else is asked of the caller but the user's
//! id. A server that is not running is no obstacle: the command line takes the data directory itself
//! (`cli/user.rs`).

mod client;
mod server;

pub use client::ask;
pub use server::Control;

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

/// What the operator may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    UserAdd(NewUser),
    UserList,
    UserDisable(UserName),
    UserEnable(UserName),
    UserResetLink(UserName),
}

/// Who is to have an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    pub email: String,
    pub name: Option<String>,
    pub role: Role,
    /// A slug.
    pub organization: Option<String>,
}

/// Whose account is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserName {
    pub email: String,
}

/// What is printed, a line each. A line may hold a link that is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub Vec<String>);

/// The commands on people. A running server answers them through its socket; without one the command
/// line answers them itself on the opened data directory.
pub trait Users: Send + Sync + 'static {
    /// Makes an account without a password; the lines hold a link to set one. `organization` is a
    /// slug; not given, the only one there is, or none.
    fn add(
        &self,
        email: &str,
        name: Option<&str>,
        role: Role,
        organization: Option<&str>,
    ) -> impl Future<Output = Result<Lines>> + Send;
    fn list(&self) -> impl Future<Output = Result<Lines>> + Send;
    /// Ends the sessions, too.
    fn disable(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
    fn enable(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
    /// A link to set a new password, to be handed over: it is not mailed.
    fn reset_link(&self, email: &str) -> impl Future<Output = Result<Lines>> + Send;
}

/// Does what is asked for.
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
