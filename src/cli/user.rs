//! `mayday user`: manages accounts, from the machine that Mayday runs on. Acts through the running server,
//! or, if there is none, on the data directory itself.

use super::{Options, fail, say};
use crate::config::{Config, Secrets};
use crate::control::{self, Lines, NewUser, Request, UserName, Users};
use crate::error::{Error, Result};
use crate::roles::Role;
use crate::store::{DataDir, Fatal, Main, has_instance};
use clap::{Subcommand, ValueEnum};
use std::process::ExitCode;

/// The subcommands.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Creates an account and prints a link to set its password
    Add {
        email: String,
        /// Display name [default: the part of the address before the @]
        #[arg(long)]
        name: Option<String>,
        /// What the person may do in the organization
        #[arg(long, value_enum, default_value_t = RoleName::Member)]
        role: RoleName,
        /// Slug of the organization to join [default: the only one]
        #[arg(long, value_name = "SLUG")]
        organization: Option<String>,
    },
    /// Lists all accounts
    List,
    /// Disables an account and ends its sessions
    Disable { email: String },
    /// Enables a disabled account
    Enable { email: String },
    /// Prints a link to set a new password
    ResetLink { email: String },
}

/// Roles that can be given. The owner is not one: they claimed the instance, and can hand it over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleName {
    Member,
    Admin,
}

impl From<Command> for Request {
    fn from(command: Command) -> Self {
        match command {
            Command::Add { email, name, role, organization } => {
                let role = match role {
                    RoleName::Member => Role::Member,
                    RoleName::Admin => Role::Admin,
                };
                Self::UserAdd(NewUser { email, name, role, organization })
            }
            Command::List => Self::UserList,
            Command::Disable { email } => Self::UserDisable(UserName { email }),
            Command::Enable { email } => Self::UserEnable(UserName { email }),
            Command::ResetLink { email } => Self::UserResetLink(UserName { email }),
        }
    }
}

/// Runs a command. `open` creates the implementation for when no server is running.
pub fn run<U: Users>(
    options: &Options,
    command: Command,
    open: impl FnOnce(Config, Secrets, Main) -> Result<U>,
) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    match perform(config, &command.into(), open) {
        Ok(Lines(lines)) => {
            lines.iter().for_each(|line| say(line));
            ExitCode::SUCCESS
        }
        Err(Error::Internal(cause)) => {
            fail(&cause);
            ExitCode::FAILURE
        }
        Err(error) => {
            fail(&error);
            ExitCode::FAILURE
        }
    }
}

/// Performs a command through the server, or directly on the data directory.
///
/// # Errors
/// Why the command was refused; internal if there is no data directory, or another process has locked it and does not
/// answer.
pub fn perform<U: Users>(
    config: Config,
    request: &Request,
    open: impl FnOnce(Config, Secrets, Main) -> Result<U>,
) -> Result<Lines> {
    if let Some(lines) = control::ask(&config.data_dir, request)? {
        return Ok(lines);
    }
    if !has_instance(&config.data_dir) {
        return Err(Error::internal(format!(
            "{} has no main.db: start the server once, or name its directory with --data-dir",
            config.data_dir.display()
        )));
    }
    let _lock = DataDir::take_usable(&config.data_dir)?;
    let secrets = Secrets::load(&config).map_err(Error::internal)?;
    let main = Main::open(&config.data_dir, &Fatal::new().0)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::internal)?;
    let answered = open(config, secrets, main.clone())
        .and_then(|users| runtime.block_on(control::answer(&users, request)));
    main.writer.stop();
    answered
}

#[cfg(test)]
mod tests;
