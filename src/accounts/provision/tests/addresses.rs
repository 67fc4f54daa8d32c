//! People with several addresses at a code host.

use super::*;

#[test]
fn an_invitation_to_any_verified_address_admits_with_that_address() {
    let github = |emails: &[&str]| ProviderIdentity {
        provider: ProviderKind::GitHub,
        issuer: "https://api.github.com".into(),
        other_emails: emails[1..].iter().map(|email| (*email).to_owned()).collect(),
        ..somebody(emails[0], Some(emails[0]), true)
    };
    let instance = Instance::new(&[]);
    instance.invite("a@work.com", Role::Admin);
    instance.invite("b@work.com", Role::Admin);
    assert_eq!(instance.enter(&github(&["x@home.com", "x@work.com"])).unwrap_err(), Refusal::NotInvited);
    let (user, role) = instance.enter(&github(&["a@home.com", "a@else.com", "A@Work.com"])).unwrap();
    assert_eq!(role, Role::Admin);
    assert_eq!(instance.email(user), "a@work.com");
    // The primary address comes first.
    instance.invite("c@home.com", Role::Member);
    let (user, _) = instance.enter(&github(&["c@home.com", "b@work.com"])).unwrap();
    assert_eq!(instance.email(user), "c@home.com");
}
