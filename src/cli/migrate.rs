//! `mayday migrate`: migrates the databases as the first start of a new version does, without starting the server.

use super::{Options, ended, say};
use crate::config::Config;
use crate::error::Result;
use crate::store::{DataDir, Upgrade, check_sqlite_version, has_instance, upgrade};
use std::process::ExitCode;

pub(super) fn run(options: &Options) -> ExitCode {
    match options.config() {
        Ok(config) => ended(migrate(&config)),
        Err(code) => code,
    }
}

fn migrate(config: &Config) -> Result<()> {
    check_sqlite_version()?;
    if !has_instance(&config.data_dir) {
        say(&format_args!(
            "{} has no main.db, so there is nothing to migrate: the first start creates it.",
            config.data_dir.display()
        ));
        return Ok(());
    }
    let dir = DataDir::take_usable(&config.data_dir)?;
    for Upgrade { name, from, to, kept } in upgrade(dir.path())? {
        match kept {
            Some(kept) => say(&format_args!(
                "{name}: migrated from schema version {from} to {to}; {} is the copy from before.",
                kept.display()
            )),
            None => say(&format_args!("{name}: up to date (schema version {to}).")),
        }
    }
    Ok(())
}
