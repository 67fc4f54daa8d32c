//! `mayday sourcemaps`: what a pipeline does with the source maps of a build.

pub(super) mod build;
mod bundle;
pub(super) mod check;
pub(super) mod explain;
mod glob;
mod inject;
mod integrity;
pub(super) mod pages;
pub(super) mod plan;
pub(super) mod report;
mod script;
mod styles;
mod upload;

use super::ci::ended;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Finds the scripts of a build and their source maps, checks each pair, and uploads them to a release, with the style
    /// sheets of the build
    Upload(upload::Arguments),
    /// Says for each frame of a stack whether it resolves, and if not: which rule failed, and what mends it
    Explain(explain::Arguments),
    /// Writes debug ids into scripts and source maps, so that they find each other whatever their address
    Inject(inject::Arguments),
}

pub(super) fn run(command: Command) -> ExitCode {
    ended(match command {
        Command::Upload(arguments) => upload::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Inject(arguments) => inject::run(&arguments),
    })
}
