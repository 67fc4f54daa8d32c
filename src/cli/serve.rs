//! `mayday serve`.

use super::{Options, fail, say, systemd};
use crate::config::{Config, Secrets};
use crate::error::{Error, Result};
use crate::server::Server;
use crate::store::DataDir;
use sd_notify::NotifyState;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

pub(super) fn run(options: &Options) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    start_logging(&config);
    match serve(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Internal(cause)) => {
            fail(&cause);
            ExitCode::FAILURE
        }
        Err(Error::Unavailable { text, cause }) => {
            fail(&cause.map_or_else(|| text.to_string(), |cause| format!("{text} ({cause})")));
            ExitCode::FAILURE
        }
        Err(error) => {
            fail(&error);
            ExitCode::FAILURE
        }
    }
}

/// One line per event on standard error: readable text on a terminal, otherwise JSON.
fn start_logging(config: &Config) {
    // rmcp logs every message, including clients' mistakes, which are not the server's problem. The operator's own
    // directive takes precedence.
    let filter = EnvFilter::new(format!("rmcp=error,{}", config.log));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A line that cannot be written (the disk is full, the reader is gone) is lost. Reporting that on standard error
    // as well would cause a panic.
    let builder = builder.log_internal_errors(false);
    if std::io::stderr().is_terminal() {
        builder.init();
    } else {
        builder.json().flatten_event(true).init();
    }
}

fn serve(config: Config) -> Result<()> {
    let data_dir = DataDir::take_usable(&config.data_dir)?;
    let secrets = Secrets::load(&config).map_err(Error::internal)?;
    if data_dir.finished_restore {
        tracing::warn!("a restore that was interrupted has been finished");
    }
    for warning in config.warnings().into_iter().chain(config.gateway_exposure()) {
        tracing::warn!("{warning}");
    }
    crate::sabotage::warn();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::internal)?;
    let served = runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).map_err(Error::internal)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::internal)?;
        let server = Server::start(config, secrets, data_dir).await?;
        greet(&server)?;
        systemd::tell(NotifyState::Ready);
        let watching = tokio::spawn(systemd::watch(server.readers()));
        let shutdown = async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            tracing::info!("stopping");
            systemd::tell(NotifyState::Stopping);
        };
        let served = server.serve(shutdown).await;
        watching.abort();
        served
    });
    // The stores are closed, so whatever is still running no longer matters.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// The first lines of output: the address, and how to claim an unclaimed instance.
fn greet(server: &Server) -> Result<()> {
    say(&format_args!("Mayday is listening on {}", server.address()?));
    if let Some(token) = &server.setup_token {
        say(&format_args!("Claim this instance: {}/setup#token={token}", server.addresses().frontend));
    }
    Ok(())
}
