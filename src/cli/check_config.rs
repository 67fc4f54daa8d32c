//! `mayday check-config`: judges values only and requires none.

use super::{Options, say};
use std::process::ExitCode;

pub(super) fn run(options: &Options) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    for warning in config.warnings() {
        say(&format_args!("warning: {warning}"));
    }
    let addresses = config.addresses(config.listen.port());
    say(&format_args!("The configuration is good."));
    say(&format_args!("  listens on      {}", config.listen));
    say(&format_args!("  data directory  {}", config.data_dir.display()));
    say(&format_args!("  API             {}", addresses.api));
    say(&format_args!("  Web app         {}", addresses.frontend));
    ExitCode::SUCCESS
}
