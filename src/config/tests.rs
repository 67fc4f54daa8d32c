use super::*;

mod access;
mod backup;
mod example;
mod gateway;
mod mail;
mod meta;
mod sso;
mod telemetry;

fn read(values: &[(&str, &str)]) -> Result<Config, Vec<ConfigError>> {
    let pairs = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::read(&Source::new(None, pairs, []).unwrap())
}

fn refusal(values: &[(&str, &str)]) -> String {
    read(values).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn without_variables_the_instance_is_local() {
    let config = read(&[]).unwrap();
    assert_eq!((config.listen.to_string().as_str(), config.both_loopbacks), ("127.0.0.1:8000", true));
    assert_eq!(config.web_app, WebApp::Embedded);
    assert_eq!(config.addresses(8123).api.as_str(), "http://localhost:8123");
    assert_eq!(config.addresses(8123).frontend.as_str(), "http://localhost:8123");
}

#[test]
fn base_urls_are_derived_from_the_site_address_unless_set() {
    let config =
        read(&[("SITE_ADDRESS", "errors.corp.example"), ("API_BASE_URL", "https://api.corp.example/")])
            .unwrap();
    assert_eq!(config.addresses(1).api.as_str(), "https://api.corp.example");
    assert_eq!(config.addresses(1).frontend.as_str(), "https://errors.corp.example");
}

#[test]
fn an_explicit_localhost_stays_on_http() {
    let config = read(&[("SITE_ADDRESS", "http://localhost:8000")]).unwrap();
    assert_eq!(config.addresses(1).api.as_str(), "http://localhost:8000");
    assert!(config.warnings().is_empty());
    assert_eq!(read(&[("SITE_ADDRESS", "http://errors.example")]).unwrap().warnings().len(), 1);
}

#[test]
fn base_urls_are_canonical_and_have_no_path() {
    for (given, read) in [
        ("Errors.Example", "https://errors.example"),
        ("https://errors.example:443/", "https://errors.example"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("localhost:8000", "http://localhost:8000"),
    ] {
        assert_eq!(BaseUrl::parse(given).unwrap().as_str(), read);
    }
    for bad in
        ["", "https://", "https://a/b", "ftp://a", "https://a:99999", "a b", "https://u@h", "https://a?x"]
    {
        assert!(BaseUrl::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_invalid_value_is_reported_with_its_variable_and_what_is_accepted() {
    let text = refusal(&[("SERVICE_LISTEN", "8000"), ("SERVICE_SOURCEMAP_MAX_MB", "0")]);
    assert!(text.contains("SERVICE_LISTEN=\"8000\"") && text.contains("127.0.0.1:8000"), "{text}");
    assert!(text.contains("SERVICE_SOURCEMAP_MAX_MB=\"0\"") && text.contains("from 1 to 200"), "{text}");
}

#[test]
fn secrets_are_never_shown() {
    let text = refusal(&[("JWT_SECRET", "canary"), ("DATABASE_URL", "postgres://u:canary@h/d")]);
    assert!(text.contains("at least 32 bytes") && text.contains("\"postgres\""), "{text}");
    assert!(!text.contains("canary"), "{text}");
    let config = read(&[("JWT_SECRET", "canary-canary-canary-canary-canary")]).unwrap();
    assert!(!format!("{config:?}").contains("canary"));
}

#[test]
fn setting_one_base_url_does_not_change_the_other() {
    for (site, api, frontend) in [
        ("errors.example", "https://errors.example", "https://errors.example"),
        ("http://localhost:8000", "http://localhost:8000", "http://localhost:8000"),
        ("http://errors.example", "http://errors.example", "http://errors.example"),
    ] {
        let config = |name, url| read(&[("SITE_ADDRESS", site), (name, url)]).unwrap().addresses(1);
        let given = config("API_BASE_URL", "http://localhost:9000");
        assert_eq!((given.api.as_str(), given.frontend.as_str()), ("http://localhost:9000", frontend));
        let given = config("FRONTEND_BASE_URL", "https://app.example");
        assert_eq!((given.api.as_str(), given.frontend.as_str()), (api, "https://app.example"));
    }
}

#[test]
fn a_value_with_several_lines_is_refused_and_not_shown() {
    for name in ["SITE_ADDRESS", "SERVER_IMAGE", "MAIL_API_KEY", "SERVICE_SSO_OIDC_CLIENT_ID", "WEB_DIST_DIR"]
    {
        let text = refusal(&[(name, "canary\r\nBcc: canary")]);
        assert!(text.contains(name) && text.contains("one line"), "{text}");
        assert!(!text.contains("canary"), "{text}");
    }
}

#[test]
fn variables_of_the_scripts_are_checked_for_their_form() {
    for good in [
        ("SERVICE_SERVER_IMAGE_TAG", "stable"),
        ("SERVICE_SERVER_IMAGE_TAG", "v1.4.0-rc.1"),
        ("SERVICE_PUBLIC_HEALTHCHECK_URL", "https://errors.example/health"),
        ("SERVER_IMAGE", "registry.example/mayday"),
        ("POSTGRES_DB", "x"),
        ("POSTGRES_USER", "x"),
        ("POSTGRES_PASSWORD", "canary"),
        ("AWS_REGION", "eu-central-1"),
    ] {
        let config = read(&[good]).unwrap();
        assert!(config.warnings().is_empty() && !format!("{config:?}").contains("canary"), "{good:?}");
    }
    for (name, value) in [
        ("SERVICE_SERVER_IMAGE_TAG", "latest release"),
        ("SERVICE_SERVER_IMAGE_TAG", "-1"),
        ("SERVICE_SERVER_IMAGE_TAG", "image:1"),
        ("SERVICE_PUBLIC_HEALTHCHECK_URL", "errors.example/health"),
        ("SERVICE_PUBLIC_HEALTHCHECK_URL", "ftp://errors.example"),
    ] {
        assert!(refusal(&[(name, value)]).starts_with(&format!("{name}={value:?}")), "{name}={value}");
    }
}

#[test]
fn web_dist_dir_is_unset_empty_or_a_directory_with_an_index() {
    assert_eq!(read(&[("WEB_DIST_DIR", "")]).unwrap().web_app, WebApp::None);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    assert!(refusal(&[("WEB_DIST_DIR", path)]).contains("index.html"));
    std::fs::write(dir.path().join("index.html"), "x").unwrap();
    assert_eq!(read(&[("WEB_DIST_DIR", path)]).unwrap().web_app, WebApp::Folder(dir.path().into()));
}

#[test]
fn database_url_names_main_db_in_the_data_directory_only() {
    let with = |url| read(&[("SERVICE_DATA_DIR", "/srv/mayday"), ("DATABASE_URL", url)]);
    assert!(with("sqlite:/srv/mayday/main.db").is_ok());
    assert!(with("sqlite:/srv/other/main.db").is_err());
    assert!(with("mysql://x").is_err());
}

#[test]
fn generated_secrets_are_readable_only_by_the_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let config = read(&[("SERVICE_DATA_DIR", dir.path().to_str().unwrap())]).unwrap();
    let first = Secrets::load(&config).unwrap();
    let second = Secrets::load(&config).unwrap();
    assert!(first.jwt == second.jwt && first.cloud == second.cloud && first.jwt != first.cloud);
    let mode = std::fs::metadata(dir.path().join("secrets.env")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_lost_key_is_not_replaced_without_permission() {
    let dir = tempfile::tempdir().unwrap();
    let config = read(&[("SERVICE_DATA_DIR", dir.path().to_str().unwrap())]).unwrap();
    let first = Secrets::load(&config).unwrap();
    let (file, kept) = (dir.path().join("secrets.env"), dir.path().join("kept"));
    std::fs::write(dir.path().join("main.db"), "a database").unwrap();
    std::fs::rename(&file, &kept).unwrap();
    let text = Secrets::load(&config).unwrap_err().to_string();
    assert!(text.contains("CLOUD_SECRET_KEY") && text.contains(ACCEPT_NEW_KEY), "{text}");
    assert!(!file.exists(), "nothing stands in the way of the right one");
    std::fs::rename(&kept, &file).unwrap();
    assert!(Secrets::load(&config).unwrap().cloud == first.cloud);
    std::fs::remove_file(&file).unwrap();
    std::fs::write(dir.path().join(ACCEPT_NEW_KEY), "").unwrap();
    assert!(Secrets::load(&config).unwrap().cloud != first.cloud);
}

#[test]
fn permissions_of_others_on_secrets_are_removed() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let config = read(&[("SERVICE_DATA_DIR", dir.path().to_str().unwrap())]).unwrap();
    Secrets::load(&config).unwrap();
    let file = dir.path().join("secrets.env");
    for (found, left) in [(0o644, 0o600), (0o660, 0o600), (0o400, 0o400), (0o600, 0o600)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(found)).unwrap();
        Secrets::load(&config).unwrap();
        let mode = std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, left, "{found:o}");
    }
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("env");
    std::fs::write(
        &file,
        "SERVICE_LISTEN=127.0.0.1:1\nSERVICE_DATA_DIR=/from/file\nUNKNOWN=1\nSITE_ADDRESS=a.example\n",
    )
    .unwrap();
    let environment = [("SERVICE_LISTEN", "127.0.0.1:2"), ("SERVICE_DATA_DIR", "/from/env")];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let flags = [("SERVICE_LISTEN", Some("127.0.0.1:3".to_owned())), ("SITE_ADDRESS", None)];
    let config = Config::read(&Source::new(Some(&file), environment, flags).unwrap()).unwrap();
    assert_eq!(config.listen.port(), 3);
    assert_eq!(config.data_dir, PathBuf::from("/from/env"));
    assert_eq!(config.site_address.unwrap().as_str(), "https://a.example");
}

#[test]
fn the_two_names_of_a_setting_are_compared_only_within_one_source() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("env");
    std::fs::write(&file, "INSTANCE_NAME=of the file\nSERVICE_SSO_DISPLAY_NAME=Mayday <m@a.test> $HOME\n")
        .unwrap();
    let read = |environment: &[(&str, &str)]| {
        let pairs = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::read(&Source::new(Some(&file), pairs, []).unwrap())
    };
    let name = |environment: &[(&str, &str)]| read(environment).unwrap().identity.name;
    assert_eq!(name(&[]).as_deref(), Some("of the file"));
    assert_eq!(
        name(&[("SERVICE_INSTANCE_NAME", "of the environment")]).as_deref(),
        Some("of the environment")
    );
    assert_eq!(name(&[("SERVICE_INSTANCE_NAME", "")]), None, "blank, it is taken back");
    assert!(read(&[("SERVICE_INSTANCE_NAME", "one"), ("INSTANCE_NAME", "another")]).is_err());
    assert!(read(&[("SERVICE_SSO_DISPLAY_NAME", "of the environment"), ("SSO_DISPLAY_NAME", "")]).is_ok());
}

#[test]
fn an_unknown_log_level_is_refused() {
    for level in ["error", "WARN", "off", "mayday::digest=debug,info", "info,mayday[x]=trace", " debug "] {
        assert!(read(&[("SERVICE_LOG", level)]).is_ok(), "{level}");
    }
    for wrong in ["verbose", "5", "mayday", "info,loud", "mayday=loud", "info,"] {
        assert!(refusal(&[("SERVICE_LOG", wrong)]).contains("expected error, warn"), "{wrong}");
    }
}

#[test]
fn a_private_file_replaces_links_and_leftovers_of_a_crash() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let (path, target) = (dir.path().join("file"), dir.path().join("target"));
    std::fs::write(&target, "kept").unwrap();
    std::os::unix::fs::symlink(&target, &path).unwrap();
    std::os::unix::fs::symlink(&target, dir.path().join("file.new")).unwrap();
    private_file::replace(&path, "new").unwrap();
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    let about = std::fs::symlink_metadata(&path).unwrap();
    assert!(about.is_file() && about.permissions().mode() & 0o777 == 0o600);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    assert!(private_file::options().read(true).open(dir.path().join("none")).is_err());
}

#[test]
fn a_blank_value_counts_as_unset() {
    let blank: Vec<(&str, &str)> =
        VARIABLES.iter().filter(|name| **name != "WEB_DIST_DIR").map(|name| (*name, " \t")).collect();
    assert_eq!(format!("{:?}", read(&blank).unwrap()), format!("{:?}", read(&[]).unwrap()));
}

#[test]
fn all_errors_are_reported_at_once() {
    let faults = read(&[
        ("SITE_ADDRESS", "a/b"),
        ("SERVICE_LISTEN", "x"),
        ("SERVICE_TELEMETRY_MODE", "loud"),
        ("SERVICE_LOG", "mayday=nonsense"),
        ("INSTANCE_LOGO_URL", "http://logo.example"),
        ("CLOUD_SECRET_KEY", "short"),
    ])
    .unwrap_err();
    let text: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(text.len(), 6, "{text:?}");
}

#[test]
fn whole_numbers_are_bounded() {
    for (given, bytes) in [("1", 1 << 20), (" 200 ", 200 << 20)] {
        assert_eq!(read(&[("SERVICE_SOURCEMAP_MAX_MB", given)]).unwrap().sourcemap_max_bytes, bytes);
    }
    for bad in ["0", "201", "-1", "1.5", "1e2", "50MB", "99999999999999999999"] {
        let text = refusal(&[("SERVICE_SOURCEMAP_MAX_MB", bad)]);
        assert!(text.contains(&format!("{bad:?}")) && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn origins_are_a_list_without_wildcards() {
    let origins = |value| read(&[("CORS_ALLOW_ORIGINS", value)]).map(|config| config.cors_allow_origins);
    let listed = origins(" https://a.example , ,http://localhost:5173/,").unwrap();
    let listed: Vec<&str> = listed.iter().map(BaseUrl::as_str).collect();
    assert_eq!(listed, ["https://a.example", "http://localhost:5173"]);
    assert_eq!(origins("").unwrap(), []);
    for (value, bad) in [("*", "\"*\""), ("https://a.example,https://b/c", "\"https://b/c\"")] {
        let text = refusal(&[("CORS_ALLOW_ORIGINS", value)]);
        assert!(text.contains(bad) && text.contains("cookies"), "{text}");
    }
}

#[test]
fn there_are_three_telemetry_modes() {
    for mode in ["local_dev", "self_managed", "hosted_product"] {
        assert_eq!(read(&[("SERVICE_TELEMETRY_MODE", mode)]).unwrap().telemetry_mode.as_str(), mode);
    }
    assert_eq!(read(&[]).unwrap().telemetry_mode, TelemetryMode::SelfManaged);
    assert!(refusal(&[("SERVICE_TELEMETRY_MODE", "Local_Dev")]).contains("hosted_product"));
}

#[test]
fn an_unreadable_file_is_named() {
    let source = |path: &std::path::Path| Source::new(Some(path), [], []).unwrap_err().to_string();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("env");
    assert!(source(&file).contains(&format!("the environment file {}", file.display())));
    std::fs::write(&file, "SERVICE_LISTEN=127.0.0.1:1\nno assignment\n").unwrap();
    let text = source(&file);
    assert!(text.ends_with("line 2: expected NAME=value, got no `=`"), "{text}");
}

#[test]
fn the_host_apps_key_is_a_readable_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.pem");
    let name = path.to_str().unwrap();
    let refused = |value: &str| refusal(&[("SERVICE_HOST_APP_PRIVATE_KEY_FILE", value)]);
    assert!(refused("app.pem").contains("absolute path"));
    assert!(refused(name).contains("a file that the server can read"));
    assert!(refused(folder.path().to_str().unwrap()).contains("a file that the server can read"));
    std::fs::write(&path, "-----BEGIN CERTIFICATE-----\ncanary\n").unwrap();
    let said = refused(name);
    assert!(said.contains("in PEM form") && !said.contains("canary"), "{said}");
    std::fs::write(&path, "-----BEGIN RSA PRIVATE KEY-----\ncanary\n").unwrap();
    let config = read(&[("SERVICE_HOST_APP_PRIVATE_KEY_FILE", name)]).unwrap();
    assert!(config.host_app.is_none(), "without an id it does nothing");
    let both = |pem: &str| {
        std::fs::write(&path, pem).unwrap();
        vec![("SERVICE_HOST_APP_ID", "12345"), ("SERVICE_HOST_APP_PRIVATE_KEY_FILE", name)]
    };
    let said = refusal(&both("-----BEGIN RSA PRIVATE KEY-----\ncanary\n"));
    assert!(said.contains("expected an RSA private key") && !said.contains("canary"), "{said}");
    let app = read(&both(include_str!("../../tests/fixtures/keys/host-app.pem"))).unwrap().host_app.unwrap();
    assert_eq!((app.id.as_str(), &app.private_key_file), ("12345", &path));
    assert_eq!(app.api_url, "https://api.github.com");
    assert!(!format!("{app:?}").contains("MII"), "the key is not shown");
    let said = refusal(&[("SERVICE_HOST_APP_ID", "12345")]);
    assert!(said.contains("SERVICE_HOST_APP_PRIVATE_KEY_FILE is not"), "{said}");
}
