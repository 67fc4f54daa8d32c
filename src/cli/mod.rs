//! The command line: one file per subcommand. Exit codes: 0 done, 1 failed, 2 wrong usage.

mod backup;
mod check_config;
mod healthcheck;
mod migrate;
mod restore;
mod serve;
mod setup_token;
mod systemd;
mod terminal;
pub mod user;

use crate::accounts::operator::service::Operator;
use crate::config::{Config, ConfigError, Source};
use crate::error::Error;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Error monitoring and agent automation in one binary.
#[derive(Parser)]
#[command(name = "mayday", version, about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

// No doc comment: clap would use it as the program's description.
#[derive(Args)]
pub struct Options {
    /// File with variables, one NAME=value per line; the environment overrides it
    #[arg(long, global = true, value_name = "FILE")]
    env_file: Option<PathBuf>,
    /// Directory that holds all data [env: SERVICE_DATA_DIR] [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<String>,
    /// Address and port to listen on, port 0 for a free one [env: SERVICE_LISTEN] [default: 127.0.0.1:8000]
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the server
    Serve,
    /// Checks the configuration without starting anything
    CheckConfig {
        /// Also checks what a deployment needs: the required variables, the port, the data directory's disk
        #[arg(long)]
        deploy: bool,
    },
    /// Brings the databases of a stopped server to the schemas of this version
    Migrate,
    /// Asks the server whether it is well, for containers and load balancers
    Healthcheck(healthcheck::Arguments),
    /// Makes a backup, also while the server runs, or checks one
    Backup(backup::Arguments),
    /// Puts a backup in place of the data directory's content, which is kept
    Restore(restore::Arguments),
    /// Prints the setup token of an unclaimed instance
    SetupToken,
    /// Manages accounts, from the machine that Mayday runs on
    User {
        #[command(subcommand)]
        command: user::Command,
    },
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Command::Serve => serve::run(&cli.options),
        Command::CheckConfig { deploy } => check_config::run(&cli.options, deploy),
        Command::Migrate => migrate::run(&cli.options),
        Command::Healthcheck(arguments) => healthcheck::run(&cli.options, &arguments),
        Command::Backup(arguments) => backup::run(&cli.options, &arguments),
        Command::Restore(arguments) => restore::run(&cli.options, &arguments),
        Command::SetupToken => setup_token::run(&cli.options),
        Command::User { command } => user::run(&cli.options, command, |config, secrets, main| {
            Operator::of_directory(&config, secrets.jwt, main)
        }),
    }
}

impl Options {
    /// Reads the configuration, or prints a line for each error in it.
    fn config(&self) -> Result<Config, ExitCode> {
        self.read().map(|(_, config)| config).map_err(|errors| {
            errors.iter().for_each(|error| fail(error));
            ExitCode::FAILURE
        })
    }

    /// Reads the configuration, with where it comes from.
    fn read(&self) -> Result<(Source, Config), Vec<ConfigError>> {
        let flags = [("SERVICE_DATA_DIR", self.data_dir.clone()), ("SERVICE_LISTEN", self.listen.clone())];
        // A variable that is not UTF-8 is not one of ours.
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let source =
            Source::new(self.env_file.as_deref(), environment, flags).map_err(|error| vec![error])?;
        Config::read(&source).map(|config| (source, config))
    }
}

/// Ends a command: what went wrong is one line.
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

#[expect(clippy::print_stdout, reason = "the command line talks to people")]
fn say(line: &dyn std::fmt::Display) {
    println!("{line}");
}
