//! `mayday check-config`: checks values, and requires none.

use super::{Options, say};
use crate::config::{Config, MailWay};
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
    say(&format_args!("The configuration is valid."));
    say(&format_args!("  listens on      {}", config.listen));
    say(&format_args!("  data directory  {}", config.data_dir.display()));
    say(&format_args!("  API             {}", addresses.api));
    say(&format_args!("  Web app         {}", addresses.frontend));
    say(&format_args!("  sign-in by      {}", methods(&config)));
    say(&format_args!("  mail            {}", mail(&config)));
    ExitCode::SUCCESS
}

fn methods(config: &Config) -> String {
    let sign_in = &config.sign_in;
    let methods = [
        (sign_in.password_enabled, "password"),
        (sign_in.code_host.is_some(), "code host"),
        (sign_in.sso.is_some(), "SSO"),
    ];
    methods.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

fn mail(config: &Config) -> String {
    match config.mail.as_ref().map(|mail| (&mail.way, &mail.from)) {
        Some((MailWay::Api { url, .. }, from)) => format!("from {from} through {url}"),
        Some((MailWay::Smtp(_), from)) => format!("from {from} over SMTP"),
        None => "not configured: links are passed on by hand".to_owned(),
    }
}
