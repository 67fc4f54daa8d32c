//! `.env.static.example`.

use super::*;

const EXAMPLE: &str = include_str!("../../../.env.static.example");

/// The rows, as an operator takes them over by removing the `#`.
fn rows() -> Vec<(&'static str, &'static str)> {
    let row = |line: &'static str| line.strip_prefix('#')?.split_once('=');
    EXAMPLE.lines().filter_map(row).filter(|(name, _)| VARIABLES.contains(name)).collect()
}

#[test]
fn every_row_of_the_example_is_at_its_default() {
    let rows: Vec<_> = rows().into_iter().filter(|(name, _)| *name != "WEB_DIST_DIR").collect();
    assert_eq!(rows.len(), VARIABLES.len() - 1);
    assert_eq!(format!("{:?}", read(&rows).unwrap()), format!("{:?}", read(&[]).unwrap()));
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
        "SERVICE_METRICS_TOKEN",
        "SERVICE_MAIL_SMTP_URL",
    ] {
        assert!(rows().contains(&(name, "")), "{name}");
    }
}
