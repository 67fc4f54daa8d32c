//! `mayday setup-token`: works while the server runs.

use super::{Options, fail, say};
use crate::accounts::service::claim;
use std::process::ExitCode;

pub(super) fn run(options: &Options) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    let path = config.setup_token_path();
    match claim::read_file(&path) {
        Ok(Some(token)) => {
            say(&token);
            ExitCode::SUCCESS
        }
        Ok(None) => {
            fail(&format_args!(
                "there is no setup token at {}: the instance is claimed already, or was never started",
                path.display()
            ));
            ExitCode::FAILURE
        }
        Err(error) => {
            fail(&error);
            ExitCode::FAILURE
        }
    }
}
