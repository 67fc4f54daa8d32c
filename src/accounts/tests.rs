use super::*;
use crate::accounts::service::claim;
use crate::config::{Config, Secrets, Source};
use crate::crypto::secret::Secret;
use crate::crypto::{password, token};
use crate::roles::Role;
use crate::store::{Fatal, Main};
use crate::text::email::normal_email;
use argon2::password_hash::phc::PasswordHash;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

#[test]
fn emails_are_compared_in_lower_case() {
    assert_eq!(normal_email(" Ada@Example.COM ").unwrap(), "ada@example.com");
}

#[test]
fn malformed_addresses_are_refused() {
    for email in [
        "",
        "ada",
        "ada@",
        "@example.com",
        "a@b@example.com",
        "ada@example",
        "ada@example..com",
        "ada@example.com.",
        "ada@-example.com",
        "ada b@example.com",
        "ada@exa\u{430}mple.com",
        "ada\r\nbcc:x@example.com",
        "<ada@example.com>",
        "ada@example.com\0",
    ] {
        assert!(normal_email(email).is_err(), "{email:?}");
    }
    assert!(normal_email(&format!("{}@example.com", "a".repeat(65))).is_err());
}

#[test]
fn passwords_have_12_to_256_characters() {
    for (length, good) in [(11, false), (12, true), (256, true), (257, false)] {
        assert_eq!(check_password(&"ü".repeat(length)).is_ok(), good, "{length}");
    }
}

#[tokio::test]
async fn a_password_verifies_against_its_own_hash_only() {
    let passwords = password::Passwords::default();
    let stored = passwords.hash("correct horse battery".into()).await.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    assert!(passwords.verify("correct horse battery".into(), Some(stored.clone())).await.unwrap());
    assert!(!passwords.verify("correct horse batterz".into(), Some(stored)).await.unwrap());
    assert!(!passwords.verify("nobody has this password".into(), None).await.unwrap());
}

#[test]
fn a_setup_token_is_eight_groups_of_four_hex_digits() {
    let token = token::setup();
    let groups: Vec<&str> = token.split('-').collect();
    assert_eq!(groups.len(), 8);
    assert!(
        groups
            .iter()
            .all(|group| group.len() == 4 && group.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')))
    );
    assert_ne!(token, token::setup());
}

#[test]
fn roles_are_ordered_by_what_they_may_do() {
    assert!(Role::Owner > Role::Admin && Role::Admin > Role::Member);
    assert_eq!(Role::parse("admin"), Some(Role::Admin));
    assert_eq!(Role::parse("root"), None);
}

#[tokio::test]
async fn a_password_over_the_limit_is_wrong_and_never_hashed() {
    let passwords = password::Passwords::default();
    for (length, right) in [(256, true), (257, false)] {
        let long = "ü".repeat(length);
        let stored = passwords.hash(long.clone()).await.unwrap();
        assert_eq!(passwords.verify(long, Some(stored)).await.unwrap(), right, "{length}");
    }
}

#[tokio::test]
async fn the_hash_for_unknown_accounts_costs_as_much_as_a_real_one() {
    let real = password::Passwords::default().hash("correct horse battery".into()).await.unwrap();
    let nobodys: Vec<&str> = password::NOBODY.split('$').collect();
    let real: Vec<&str> = real.split('$').collect();
    assert_eq!(nobodys.len(), real.len());
    assert_eq!(nobodys[..4], real[..4], "algorithm, version and parameters");
    assert!(nobodys.iter().zip(&real).all(|(a, b)| a.len() == b.len()), "salt and hash");
    assert!(PasswordHash::new(password::NOBODY).is_ok(), "else nothing is computed at all");
}

#[test]
fn the_installation_has_a_random_uuid() {
    let uuid = token::uuid();
    let groups: Vec<usize> = uuid.split('-').map(str::len).collect();
    assert_eq!(groups, [8, 4, 4, 4, 12], "{uuid}");
    assert!(uuid.chars().all(|c| matches!(c, '-' | '0'..='9' | 'a'..='f')), "{uuid}");
    assert!(uuid[14..].starts_with('4') && uuid[19..].starts_with(['8', '9', 'a', 'b']), "{uuid}");
    assert_ne!(uuid, token::uuid());
}

/// A data directory whose instance nobody has claimed.
struct Unclaimed {
    dir: tempfile::TempDir,
    config: Config,
    secrets: Secrets,
    main: Main,
}

impl Unclaimed {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_str().unwrap().to_owned();
        let source = Source::new(None, [("SERVICE_DATA_DIR".to_owned(), folder)], []).unwrap();
        let config = Config::read(&source).unwrap();
        let secrets = Secrets::load(&config).unwrap();
        let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
        Self { dir, config, secrets, main }
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("setup-token")
    }

    /// What a start does; afterwards the file and the stored hash match the token.
    fn start(&self) -> String {
        let token = claim::prepare(&self.config, &self.secrets, &self.main).unwrap().unwrap();
        let about = fs::symlink_metadata(self.file()).unwrap();
        assert!(about.is_file());
        assert_eq!(about.mode() & 0o7777, 0o600);
        assert_eq!(fs::read_to_string(self.file()).unwrap(), format!("{token}\n"));
        let hash = token::keyed_hash(&self.secrets.jwt, &token);
        self.main.readers.read_blocking(|c| sql::check_setup_token(c, &hash)).unwrap();
        token
    }
}

const PLANTED: &str = "0000-1111-2222-3333-4444-5555-6666-7777";

#[test]
fn the_setup_token_outlives_restarts() {
    let instance = Unclaimed::new();
    let token = instance.start();
    assert_eq!(instance.start(), token);
    assert_eq!(instance.start(), token);
}

#[test]
fn a_token_that_somebody_else_made_is_not_adopted() {
    let instance = Unclaimed::new();
    let plant = |mode: u32| {
        drop(fs::remove_file(instance.file()));
        fs::write(instance.file(), PLANTED).unwrap();
        fs::set_permissions(instance.file(), fs::Permissions::from_mode(mode)).unwrap();
    };
    plant(0o644);
    assert_ne!(instance.start(), PLANTED, "before the first start");
    plant(0o600);
    assert_ne!(instance.start(), PLANTED, "after it");
}

#[test]
fn a_token_that_somebody_else_may_have_read_is_rotated() {
    let instance = Unclaimed::new();
    for mode in [0o644, 0o640, 0o4600] {
        let old = instance.start();
        fs::set_permissions(instance.file(), fs::Permissions::from_mode(mode)).unwrap();
        assert_ne!(instance.start(), old, "{mode:o}");
    }
    let old = instance.start();
    // Only root can give a file away.
    if std::os::unix::fs::chown(instance.file(), Some(12_345), None).is_ok() {
        assert_ne!(instance.start(), old, "another owner");
    }
}

#[test]
fn anything_in_place_of_the_file_is_replaced_and_not_followed() {
    let instance = Unclaimed::new();
    let elsewhere = instance.dir.path().join("elsewhere");
    fs::write(&elsewhere, "kept").unwrap();
    let plants: [&dyn Fn(&Path); 3] = [
        &|file| fs::write(file, b"\xff\xfe").unwrap(),
        &|file| std::os::unix::fs::symlink(&elsewhere, file).unwrap(),
        &|file| {
            let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
            rustix::fs::mknodat(rustix::fs::CWD, file, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        },
    ];
    for plant in plants {
        let old = instance.start();
        fs::remove_file(instance.file()).unwrap();
        plant(&instance.file());
        assert_ne!(instance.start(), old);
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "kept");
    }
}

#[test]
fn a_crash_between_the_file_and_the_hash_heals_at_the_next_start() {
    let instance = Unclaimed::new();
    let old = instance.start();
    crate::config::private_file::replace(&instance.file(), &format!("{PLANTED}\n")).unwrap();
    fs::write(instance.file().with_extension("new"), "half a tok").unwrap();
    let new = instance.start();
    assert!(new != PLANTED && new != old);
    assert_eq!(instance.start(), new);
    assert!(!instance.file().with_extension("new").exists());
}

#[test]
fn a_new_secret_makes_a_new_setup_token() {
    let mut instance = Unclaimed::new();
    let old = instance.start();
    instance.secrets.jwt = Secret::new("another secret of thirty-two bytes");
    assert_ne!(instance.start(), old);
}
