//! `.env.static.example`.

use super::*;

const EXAMPLE: &str = include_str!("../../../.env.static.example");

/// The rows as an operator uses them, without the leading `#`.
fn rows() -> Vec<(&'static str, &'static str)> {
    let row = |line: &'static str| line.strip_prefix('#')?.split_once('=');
    EXAMPLE.lines().filter_map(row).filter(|(name, _)| VARIABLES.contains(name)).collect()
}

#[test]
fn every_row_of_the_example_has_its_default() {
    let rows: Vec<_> = rows().into_iter().filter(|(name, _)| *name != "WEB_DIST_DIR").collect();
    assert_eq!(rows.len(), VARIABLES.len() - 1);
    assert_eq!(format!("{:?}", read(&rows).unwrap()), format!("{:?}", read(&[]).unwrap()));
}

#[test]
fn every_row_is_read_literally_without_its_hash() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("env");
    let bare = |line: &str| match line.strip_prefix('#') {
        Some(row) if row.starts_with(|first: char| first.is_ascii_uppercase()) && row.contains('=') => {
            row.to_owned()
        }
        _ => line.to_owned(),
    };
    let lines: Vec<String> =
        EXAMPLE.lines().filter(|line| !line.starts_with("#WEB_DIST_DIR")).map(bare).collect();
    assert!(lines.iter().filter(|line| !line.starts_with('#')).count() > VARIABLES.len());
    std::fs::write(&file, lines.join("\r\n")).unwrap();
    let config = Config::read(&Source::new(Some(&file), [], []).unwrap()).unwrap();
    assert_eq!(format!("{config:?}"), format!("{:?}", read(&[]).unwrap()));
}

#[test]
fn rows_of_secrets_are_empty() {
    for name in [
        "JWT_SECRET",
        "CLOUD_SECRET_KEY",
        "POSTGRES_PASSWORD",
        "HOST_OAUTH_CLIENT_SECRET",
        "SSO_OIDC_CLIENT_SECRET",
        "MAIL_API_KEY",
        "SERVICE_BACKUP_PASSPHRASE",
        "SERVICE_BACKUP_S3_SECRET_ACCESS_KEY",
        "SERVICE_METRICS_TOKEN",
        "SERVICE_MAIL_SMTP_URL",
        "AGENT_GATEWAY_PROXY_MASTER_KEY",
        "PROXY_MASTER_KEY",
        "PROXY_POSTGRES_PASSWORD",
    ] {
        assert!(rows().contains(&(name, "")), "{name}");
    }
}
