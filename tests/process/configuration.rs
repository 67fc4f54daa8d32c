//! Values that cannot be read stop the server with one line each.

use crate::support::server::{RunToEnd as _, command};
use std::process::{Command, Output};

fn run(subcommand: &str, variables: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command([subcommand, "--listen", "127.0.0.1:0"]);
    command.current_dir(folder.path()).env("SERVICE_DATA_DIR", folder.path().join("data"));
    command.envs(variables.iter().copied());
    let output = command.run();
    let made = folder.path().join("data").exists();
    assert!(!made || output.status.success(), "nothing is made before the configuration is judged");
    output
}

const WRONG: [(&str, &str, &str); 26] = [
    ("SITE_ADDRESS", "https://mayday.example/path", "without a path"),
    ("SITE_ADDRESS", "ftp://mayday.example", "http"),
    ("API_BASE_URL", "https://", "host"),
    ("FRONTEND_BASE_URL", "a b", "host"),
    ("CORS_ALLOW_ORIGINS", "https://a.example,*", "origins"),
    ("WEB_DIST_DIR", "/nonexistent", "index.html"),
    ("SERVICE_TELEMETRY_MODE", "yes", "self_managed"),
    ("DATABASE_URL", "postgres://user:hunter2@db/x", "sqlite"),
    ("DATABASE_URL", "sqlite:/elsewhere/main.db", "main.db"),
    ("JWT_SECRET", "hunter2", "32"),
    ("CLOUD_SECRET_KEY", "hunter2", "32"),
    ("SERVICE_SOURCEMAP_MAX_MB", "0", "1 to 200"),
    ("SERVICE_SOURCEMAP_MAX_MB", "lots", "1 to 200"),
    ("SERVICE_LOG", "mayday=nonsense", "info"),
    ("INSTANCE_LOGO_URL", "http://example.com/logo.png", "https"),
    ("PASSWORD_AUTH_ENABLED", "false", "SSO_ENABLED"),
    ("HOST_OAUTH_CLIENT_SECRET", "hunter2", "HOST_OAUTH_CLIENT_ID"),
    ("SSO_LOGIN_POLICY", "required", "optional"),
    ("ALLOWED_EMAIL_DOMAINS", "*.example.com", "domain"),
    ("SERVICE_MAIL_SMTP_URL", "http://u:hunter2@example.com", "smtp://"),
    ("MAIL_API_KEY", "hunter2", "MAIL_FROM_EMAIL"),
    ("MAIL_FROM_EMAIL", "a@example.com\r\nBcc: b@example.com", "one line"),
    ("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", "off", "true or false"),
    ("SERVICE_UPDATE_FEED_URL", "http://releases.example", "https"),
    ("SERVICE_DESKTOP_RELEASES_URL", "releases.example", "https"),
    ("AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD", "0", "from 0.01"),
];

#[test]
fn an_invalid_value_is_reported_in_one_line_with_the_accepted_ones() {
    for (name, value, accepted) in WRONG {
        for subcommand in ["serve", "check-config"] {
            let output = run(subcommand, &[(name, value)]);
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}={value}: {text}");
            assert_eq!(text.lines().count(), 1, "{name}={value}: {text}");
            assert!(text.contains(name) && text.contains(accepted), "{name}={value}: {text}");
            assert!(!text.contains("hunter2"), "a secret is shown: {text}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn all_errors_are_reported_at_once() {
    let output = run(
        "check-config",
        &[("SERVICE_SOURCEMAP_MAX_MB", "0"), ("SERVICE_TELEMETRY_MODE", "yes"), ("JWT_SECRET", "short")],
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 3), "{text}");
}

#[test]
fn a_setting_under_two_names_must_be_one() {
    let output = run("check-config", &[("INSTANCE_NAME", "a"), ("SERVICE_INSTANCE_NAME", "b")]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("INSTANCE_NAME") && text.contains("SERVICE_INSTANCE_NAME"), "{text}");
    assert!(run("check-config", &[("INSTANCE_NAME", "a"), ("SERVICE_INSTANCE_NAME", "a")]).status.success());
}

#[test]
fn a_reader_that_leaves_early_changes_nothing_of_the_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new("timeout");
    command.arg("60").arg(env!("CARGO_BIN_EXE_mayday")).arg("check-config").env_clear();
    command.env("SERVICE_DATA_DIR", folder.path().join("data")).stdout(writer);
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_valid_configuration_is_confirmed() {
    // Unknown names are ignored.
    for variables in
        [[].as_slice(), &[("CELERY_BROKER_URL", "nonsense"), ("SERVICE_NONE", "x"), ("POSTGRES_DB", "x")]]
    {
        let output = run("check-config", variables);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
    let output = run(
        "check-config",
        &[("SITE_ADDRESS", "mayday.example"), ("FRONTEND_BASE_URL", "https://app.example")],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("https://mayday.example") && text.contains("https://app.example"), "{text}");
    let output = run("check-config", &[("SITE_ADDRESS", "http://mayday.example")]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("warning") && text.contains("SITE_ADDRESS"), "{text}");
}

#[test]
fn a_flag_beats_the_environment_which_beats_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mayday.env");
    std::fs::write(&file, "# a comment\nSITE_ADDRESS=from-file.example\nSERVICE_LISTEN=127.0.0.1:1111\n")
        .unwrap();
    let check = |flags: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(["check-config", "--env-file"]);
        command.arg(&file).args(flags).current_dir(folder.path()).envs(variables.iter().copied());
        String::from_utf8(command.run().stdout).unwrap()
    };
    let text = check(&[], &[]);
    assert!(text.contains("from-file.example") && text.contains("127.0.0.1:1111"), "{text}");
    let text = check(&[], &[("SERVICE_LISTEN", "127.0.0.1:2222")]);
    assert!(text.contains("from-file.example") && text.contains("127.0.0.1:2222"), "{text}");
    let text = check(&["--listen", "127.0.0.1:3333"], &[("SERVICE_LISTEN", "127.0.0.1:2222")]);
    assert!(text.contains("127.0.0.1:3333"), "{text}");
}

#[test]
fn an_unreadable_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.env");
    std::fs::write(&file, "SITE_ADDRESS=good.example\nno assignment here\n").unwrap();
    for path in [file, folder.path().join("none.env")] {
        let output = command(["check-config", "--env-file"]).arg(&path).run();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
        assert!(text.contains(path.to_str().unwrap()), "{text}");
    }
}

#[test]
fn check_config_shows_sign_in_methods_and_mail_without_secrets() {
    let said = |variables: &[(&str, &str)]| String::from_utf8(run("check-config", variables).stdout).unwrap();
    let text = said(&[]);
    assert!(text.contains("sign-in by      password\n") && text.contains("not configured"), "{text}");
    let text = said(&[
        ("HOST_OAUTH_CLIENT_ID", "id"),
        ("HOST_OAUTH_CLIENT_SECRET", "hunter2"),
        ("PASSWORD_AUTH_ENABLED", "no"),
        ("SERVICE_MAIL_SMTP_URL", "smtp://u:hunter2@mail.example"),
        ("MAIL_FROM_EMAIL", "mayday@example.com"),
    ]);
    assert!(text.contains("sign-in by      code host\n") && text.contains("over SMTP"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}
