//! `mayday check-config`: checks the variables that are set. With `--deploy` it is the validator of
//! `deploy/preflight.sh`: it also checks that what a deployment needs is set, and checks this host.

use super::gateway_host::{self, Reach};
use super::{Options, say};
use crate::config::{BaseUrl, Config, MailWay, Source, WebApp};
use crate::store::Disk;
use std::fmt::Display;
use std::net::TcpListener;
use std::process::ExitCode;

/// The variables that must be set before the first bootstrap.
const REQUIRED: [&str; 3] = ["SITE_ADDRESS", "SERVICE_TELEMETRY_MODE", "SERVICE_SERVER_IMAGE_TAG"];

pub(super) fn run(options: &Options, deploy: bool) -> ExitCode {
    if deploy {
        return check_deployment(options);
    }
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    for warning in config.warnings().into_iter().chain(config.gateway_exposure()) {
        say(&format_args!("warning: {warning}"));
    }
    let addresses = config.addresses(config.listen.port());
    say(&format_args!("The configuration is valid."));
    let both = if config.both_loopbacks { " and the same port of [::1]" } else { "" };
    say(&format_args!("  listens on      {}{both}", config.listen));
    say(&format_args!("  data directory  {}", config.data_dir.display()));
    say(&format_args!("  API             {}", addresses.api));
    say(&format_args!("  Web app         {}", web_app(&config, &addresses.frontend)));
    say(&format_args!("  sign-in by      {}", methods(&config)));
    if let Some(domains) = trusted(&config) {
        say(&format_args!("  SSO proves      addresses of {domains} (SSO_TRUST_EMAIL_DOMAINS)"));
    }
    say(&format_args!("  mail            {}", mail(&config)));
    say(&format_args!("  heartbeat       {}", heartbeat(&config)));
    ExitCode::SUCCESS
}

/// Prints each finding on a line that begins with `error: ` or `warning: `, for the script to read.
fn check_deployment(options: &Options) -> ExitCode {
    let read = options.source().map_err(|error| vec![error]).and_then(|mut source| {
        derive(&mut source);
        Config::read(&source).map(|config| (source, config))
    });
    let (errors, warnings) = match read {
        Ok((source, config)) => {
            let mut warnings = config.warnings();
            let mut errors: Vec<String> = missing(&source).chain(faults_of_host(&config)).collect();
            match config.gateway_exposure().map_or_else(|| gateway_host::reach(&config), Reach::Public) {
                Reach::Public(error) => errors.push(error),
                Reach::Unknown(warning) => warnings.push(warning),
                Reach::Private => {}
            }
            (errors, warnings)
        }
        Err(errors) => (errors.iter().map(ToString::to_string).collect(), Vec::new()),
    };
    errors.iter().for_each(|error| say(&format_args!("error: {error}")));
    warnings.iter().for_each(|warning| say(&format_args!("warning: {warning}")));
    if errors.is_empty() {
        say(&"The configuration is valid.");
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Sets what `derive` in `deploy/lib/derive.sh` sets for a gateway, so that the operator's own file need not.
fn derive(source: &mut Source) {
    let site = BaseUrl::parse(source.value("SITE_ADDRESS")).unwrap_or_else(|_| BaseUrl::localhost(80));
    let key = source.value("PROXY_MASTER_KEY").to_owned();
    source.derive([
        ("AGENT_GATEWAY_PROXY_BASE_URL", "http://gateway:4000".to_owned()),
        ("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", format!("{site}/llm")),
        ("AGENT_GATEWAY_PROXY_MASTER_KEY", key),
    ]);
}

fn missing(source: &Source) -> impl Iterator<Item = String> {
    let unset = REQUIRED.into_iter().filter(|name| !source.is_set(name));
    unset.map(|name| format!("{name} is required: set it in .env.static"))
}

fn faults_of_host(config: &Config) -> Vec<String> {
    let mut faults = Vec::new();
    // A running server has both the port and the socket.
    if !config.data_dir.join(crate::control::FILE).exists()
        && let Err(error) = TcpListener::bind(config.listen)
    {
        faults.push(format!("SERVICE_LISTEN={}: {error}", config.listen));
    }
    if config.data_dir.exists() && Disk::new(&config.data_dir, config.disk_floor_bytes).is_low() {
        faults.push(format!(
            "{}: less than SERVICE_DISK_FLOOR_MB={} is free on its disk, so nothing would be accepted",
            config.data_dir.display(),
            config.disk_floor_bytes >> 20
        ));
    }
    faults
}

fn web_app(config: &Config, address: &impl Display) -> String {
    match &config.web_app {
        WebApp::Embedded => address.to_string(),
        WebApp::Folder(folder) => format!("{address}, from {}", folder.display()),
        WebApp::None => "none, only the API (WEB_DIST_DIR is empty)".to_owned(),
    }
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

/// The e-mail domains that the operator vouches for, if any.
fn trusted(config: &Config) -> Option<String> {
    let domains = &config.sign_in.sso.as_ref()?.trusted_email_domains;
    (!domains.is_empty()).then(|| domains.join(", "))
}

fn mail(config: &Config) -> String {
    match config.mail.as_ref().map(|mail| (&mail.way, &mail.from)) {
        Some((MailWay::Api { url, .. }, from)) => format!("from {from} through {url}"),
        Some((MailWay::Smtp(_), from)) => format!("from {from} over SMTP"),
        None => "not configured: links are passed on by hand".to_owned(),
    }
}

fn heartbeat(config: &Config) -> String {
    let telemetry = &config.anonymous_telemetry;
    match telemetry.destination() {
        Some(endpoint) => format!("daily to {endpoint}"),
        None if telemetry.disabled => "off".to_owned(),
        None => "off: this build has no endpoint, and none is set".to_owned(),
    }
}
