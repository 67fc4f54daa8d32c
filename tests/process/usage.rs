//! Exit codes: 0 done, 1 failed, 2 wrong usage.

use crate::support::server::{RunToEnd as _, command};

#[test]
fn wrong_usage_is_exit_code_2() {
    for arguments in [
        [].as_slice(),
        &["nonsense"],
        &["serve", "--no-such-flag"],
        &["serve", "--listen"],
        &["serve", "unexpected"],
        &["--env-file"],
        &["backup"],
        &["backup", "--output", "x", "--verify", "y"],
        &["backup", "--output", "x", "--seal", "--without-secrets"],
        &["backup", "--verify", "x", "--seal"],
        &["restore"],
        &["healthcheck", "--url", "nonsense"],
    ] {
        let output = command(arguments).run();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_succeed() {
    for (argument, part) in
        [("--help", "serve"), ("--version", env!("CARGO_PKG_VERSION")), ("help", "check-config")]
    {
        let output = command([argument]).run();
        assert_eq!(output.status.code(), Some(0), "{argument}");
        assert!(String::from_utf8(output.stdout).unwrap().contains(part), "{argument}");
    }
}

#[test]
fn without_an_instance_there_is_no_token() {
    let folder = tempfile::tempdir().unwrap();
    let output = command(["setup-token", "--data-dir"]).arg(folder.path()).run();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("setup token"));
}
