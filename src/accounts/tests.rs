use super::*;

#[test]
fn emails_are_compared_in_lower_case() {
    assert_eq!(normal_email(" Ada@Example.COM ").unwrap(), "ada@example.com");
}

#[test]
fn what_is_no_address_is_refused() {
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
