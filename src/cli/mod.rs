//! The command line: one file per subcommand. Exit codes: 0 done, 1 failed, 2 wrong usage.

mod backup;
mod backup_status;
mod check_config;
mod ci;
mod gateway_host;
mod healthcheck;
mod migrate;
mod releases;
mod restore;
mod runner;
mod serve;
mod setup_token;
mod sourcemaps;
mod storage;
mod systemd;
mod terminal;
mod usage;
pub mod user;

use crate::accounts::operator::service::Operator;
use crate::config::{Config, ConfigError, Source};
use crate::error::Error;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Error monitoring and agent automation in one binary.
#[derive(Parser)]
#[command(name = "mayday", version = crate::version::version(), about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    before: LeadingOptions,
    #[command(subcommand)]
    command: Command,
}

// No doc comments on these: clap would use them as the program's description.

// Options of the server's commands, given before the command.
#[derive(Args)]
struct LeadingOptions {
    #[arg(long, hide = true)]
    env_file: Option<PathBuf>,
    #[arg(long, hide = true)]
    data_dir: Option<String>,
    #[arg(long, hide = true)]
    listen: Option<String>,
}

// Of every command that reads the server's configuration.
#[derive(Args)]
pub struct Options {
    /// File with variables, one NAME=value per line; the environment overrides it [env: SERVICE_ENV_FILE]
    #[arg(long, global = true, value_name = "FILE")]
    env_file: Option<PathBuf>,
    /// Directory that holds all data [env: SERVICE_DATA_DIR] [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<String>,
    #[arg(skip)]
    listen: Option<String>,
}

// Of those that care where the server listens.
#[derive(Args)]
struct Listening {
    #[command(flatten)]
    options: Options,
    /// Address and port to listen on, port 0 for a free one [env: SERVICE_LISTEN] [default: localhost:8000]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

// What a command takes beside those.
#[derive(Args)]
struct WithOptions<A: Args> {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    arguments: A,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the server
    Serve(Listening),
    /// Checks the configuration without starting anything
    CheckConfig {
        #[command(flatten)]
        listening: Listening,
        /// Also checks what a deployment needs: the required variables, the port, the data directory's disk
        #[arg(long)]
        deploy: bool,
    },
    /// Brings the databases of a stopped server to the schemas of this version
    Migrate(Options),
    /// Asks the server whether it is well, for containers and load balancers
    Healthcheck {
        #[command(flatten)]
        listening: Listening,
        #[command(flatten)]
        arguments: healthcheck::Arguments,
    },
    /// Makes a backup, also while the server runs, checks one, or shows how scheduled ones are doing
    Backup(WithOptions<backup::Arguments>),
    /// Puts a backup in place of the data directory's content, which is kept
    Restore(WithOptions<restore::Arguments>),
    /// Shows what the data directory holds, by project and kind, also while the server runs
    Usage(WithOptions<usage::UsageArguments>),
    /// Shows what retention would remove, without removing anything
    Retention(WithOptions<usage::RetentionArguments>),
    /// Prints the setup token of an unclaimed instance
    SetupToken(Options),
    /// Manages accounts, from the machine that Mayday runs on
    User {
        #[command(flatten)]
        options: Options,
        #[command(subcommand)]
        command: user::Command,
    },
    /// Takes sessions of agents from a server, and runs them on this machine
    Runner(Box<runner::Arguments>),
    // Between a runner and its agent; not for people.
    #[command(name = runner::SUPERVISE, hide = true)]
    RunnerSupervise(runner::Supervised),
    // The first process of an agent's room; not for people.
    #[command(name = runner::DOOR, hide = true)]
    RunnerRoom(runner::Door),
    /// For pipelines: uploads the source maps of a build, and says why a stack does not resolve
    Sourcemaps {
        #[command(subcommand)]
        command: sourcemaps::Command,
    },
    /// For pipelines: creates, finalizes, lists, deletes and checks releases
    Releases {
        #[command(subcommand)]
        command: releases::Command,
    },
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let Cli { before, command } = Cli::parse();
    match command {
        Command::Serve(listening) => serve::run(&before.and(listening)),
        Command::CheckConfig { listening, deploy } => check_config::run(&before.and(listening), deploy),
        Command::Migrate(options) => migrate::run(&before.or(options)),
        Command::Healthcheck { listening, arguments } => healthcheck::run(&before.and(listening), &arguments),
        Command::Backup(with) => backup::run(&before.or(with.options), &with.arguments),
        Command::Restore(with) => restore::run(&before.or(with.options), &with.arguments),
        Command::Usage(with) => usage::run(&before.or(with.options), &with.arguments),
        Command::Retention(with) => usage::run_retention(&before.or(with.options), &with.arguments),
        Command::SetupToken(options) => setup_token::run(&before.or(options)),
        Command::User { options, command } => {
            user::run(&before.or(options), command, |config, secrets, main| {
                Operator::of_directory(&config, secrets.jwt, main)
            })
        }
        Command::Runner(arguments) => runner::run(*arguments),
        Command::RunnerSupervise(arguments) => runner::run_supervised(&arguments),
        Command::RunnerRoom(arguments) => runner::run_door(&arguments),
        Command::Sourcemaps { command } => sourcemaps::run(command),
        Command::Releases { command } => releases::run(command),
    }
}

impl LeadingOptions {
    fn or(self, options: Options) -> Options {
        Options {
            env_file: options.env_file.or(self.env_file),
            data_dir: options.data_dir.or(self.data_dir),
            listen: options.listen.or(self.listen),
        }
    }

    fn and(self, Listening { options, listen }: Listening) -> Options {
        self.or(Options { listen, ..options })
    }
}

impl Options {
    /// Reads the configuration, or prints a line for each error in it.
    fn config(&self) -> Result<Config, ExitCode> {
        let read = self.source().map_err(|error| vec![error]).and_then(|source| Config::read(&source));
        read.map_err(|errors| {
            errors.iter().for_each(|error| fail(error));
            ExitCode::FAILURE
        })
    }

    /// Where the configuration comes from.
    fn source(&self) -> Result<Source, ConfigError> {
        let flags = [("SERVICE_DATA_DIR", self.data_dir.clone()), ("SERVICE_LISTEN", self.listen.clone())];
        // A variable that is not UTF-8 is not one of ours.
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let named = std::env::var_os("SERVICE_ENV_FILE").filter(|path| !path.is_empty()).map(PathBuf::from);
        Source::new(self.env_file.as_deref().or(named.as_deref()), environment, flags)
    }
}

/// Ends a command, with the error on one line.
fn ended(outcome: Result<(), Error>) -> ExitCode {
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    match error {
        Error::Internal(cause) => fail(&cause),
        Error::Unavailable { text, cause } => {
            fail(&cause.map_or_else(|| text.to_string(), |cause| cause.to_string()));
        }
        error => fail(&error),
    }
    ExitCode::FAILURE
}

#[expect(clippy::print_stderr, reason = "the command line talks to people")]
fn fail(error: &dyn std::fmt::Display) {
    eprintln!("mayday: {error}");
}

/// Prints a line. If the reader closes the pipe early, as `head` does, the exit code stays the same.
fn say(line: &dyn std::fmt::Display) {
    use std::io::{ErrorKind, Write as _};
    if let Err(error) = writeln!(std::io::stdout(), "{line}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        fail(&format!("the output cannot be written: {error}"));
    }
}

/// Prints a line for people on standard error, because a program may read standard output.
#[expect(clippy::print_stderr, reason = "the command line talks to people")]
fn note(line: &dyn std::fmt::Display) {
    eprintln!("{line}");
}
