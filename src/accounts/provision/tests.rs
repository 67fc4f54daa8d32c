//! Who can sign in through a provider, as whom, and with what role.

use super::sql::{Policy, claim, decide, enter, link, link_own};
use super::{Decision, ProviderIdentity, Refusal};
use crate::accounts::me::ProviderKind;
use crate::accounts::sign_in::{self, Method, NewSignIn};
use crate::accounts::{User, admission, sql, tokens};
use crate::config::{Config, JitPolicy, SignInConfig, Source};
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::ids::{OrganizationId, UserId};
use crate::organizations::invitations;
use crate::organizations::sql as organizations;
use crate::roles::Role;
use crate::store::{Fatal, Main, Transaction};
use crate::time::Timestamp;
use std::net::{IpAddr, Ipv4Addr};

mod addresses;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A claimed instance of one organization, with single sign-on.
struct Instance {
    _dir: tempfile::TempDir,
    main: Main,
    config: SignInConfig,
    organization: OrganizationId,
    owner: UserId,
}

impl Instance {
    fn new(variables: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let sso = [
            ("SSO_ENABLED", "true"),
            ("SSO_OIDC_ISSUER_URL", "https://id.corp.com"),
            ("SSO_OIDC_CLIENT_ID", "mayday"),
            ("SSO_OIDC_CLIENT_SECRET", "secret"),
        ];
        let all = sso.iter().chain(variables).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let config = Config::read(&Source::new(None, all, []).unwrap()).unwrap().sign_in;
        let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
        let (owner, organization) = main
            .write_blocking(|tx| {
                let hash = [7; 32];
                sql::set_setup_token(tx, &hash, now())?;
                let claim = sql::Claim {
                    token_hash: hash,
                    email: "owner@corp.com".into(),
                    name: "Owner".into(),
                    password_hash: Some("x".into()),
                    organization: "Acme".into(),
                };
                sql::claim(tx, &claim, now())
            })
            .unwrap();
        Self { _dir: dir, main, config, organization, owner: owner.id }
    }

    fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> crate::error::Result<T> + Send + 'static,
    ) -> T {
        self.main.write_blocking(write).unwrap()
    }

    /// An account, a member of the organization if it has a role.
    fn account(&self, email: &'static str, proven: bool, role: Option<Role>) -> User {
        let organization = self.organization;
        self.write(move |tx| {
            let mailbox = if proven { sql::Mailbox::Proven } else { sql::Mailbox::Unknown };
            let new = sql::NewUser { email, name: "Somebody", password_hash: Some("hash"), mailbox };
            let user = sql::create(tx, &new, now())?;
            if let Some(role) = role {
                organizations::add_member(tx, organization, user.id, role, now())?;
            }
            Ok(user)
        })
    }

    fn remove(&self, user: UserId) {
        self.write(move |tx| {
            tx.execute("update memberships set removed_at = 1 where user_id = ?1", [user.0])?;
            Ok(())
        });
    }

    fn invite(&self, email: &'static str, role: Role) {
        let (organization, inviter) = (self.organization, self.owner);
        self.write(move |tx| {
            let new = invitations::sql::NewInvitation { organization, email: email.into(), role, inviter };
            invitations::sql::create(tx, &Secret::new("secret"), &new, now())
        });
    }

    fn email(&self, user: UserId) -> String {
        let account = self.main.readers.read_blocking(|c| admission::sql::by_id(c, user));
        account.unwrap().expect("an account").user.email
    }

    fn link(&self, user: User, somebody: &ProviderIdentity) {
        let somebody = somebody.clone();
        self.write(move |tx| link(tx, &somebody, &user, HERE, now()));
    }

    /// Signs in; returns the account and its role.
    fn enter(&self, somebody: &ProviderIdentity) -> Result<(UserId, Role), Refusal> {
        let (config, somebody, organization) = (self.config.clone(), somebody.clone(), self.organization);
        let entered = self.main.write_blocking(move |tx| {
            let policy = Policy { config: &config, single_org: true };
            let new = new_sign_in(Method::Sso);
            let user = match enter(tx, policy, &somebody, &new, HERE, now())? {
                Ok(user) => user,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let role =
                organizations::role(tx, user.id, organization)?.expect("somebody without a role came in");
            Ok(Ok((user.id, role)))
        });
        entered.unwrap()
    }
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000)
}

fn new_sign_in(method: Method) -> NewSignIn {
    NewSignIn { token_hash: token::random(), method, address: HERE.to_string(), user_agent: None }
}

fn somebody(subject: &str, email: Option<&str>, email_verified: bool) -> ProviderIdentity {
    ProviderIdentity {
        provider: ProviderKind::Sso,
        issuer: "https://id.corp.com".into(),
        subject: subject.into(),
        email: email.map(str::to_owned),
        email_verified,
        other_emails: Vec::new(),
        name: Some("Bob".into()),
    }
}

const POLICIES: [&str; 3] = ["disabled", "existing_user", "create_member"];

#[test]
fn an_unproven_email_gives_no_access() {
    for policy in POLICIES {
        let instance = Instance::new(&[("SSO_JIT_POLICY", policy), ("ADMIN_EMAILS", "listed@corp.com")]);
        instance.account("proven@corp.com", true, Some(Role::Member));
        instance.account("unproven@corp.com", false, Some(Role::Member));
        instance.invite("invited@corp.com", Role::Admin);
        let emails = [
            "new@corp.com",
            "proven@corp.com",
            "unproven@corp.com",
            "owner@corp.com",
            "invited@corp.com",
            "listed@corp.com",
        ];
        for email in emails {
            let refused = instance.enter(&somebody("s1", Some(email), false)).unwrap_err();
            assert_eq!(refused, Refusal::EmailUnverified, "{policy} {email}");
        }
        assert_eq!(instance.enter(&somebody("s1", None, true)).unwrap_err(), Refusal::EmailMissing);
        for email in ["a@b@corp.com", "ada@corp.com.", "ada", "\u{430}da@corp.com", "ada\r\n@corp.com"] {
            assert_eq!(
                instance.enter(&somebody("s1", Some(email), true)).unwrap_err(),
                Refusal::EmailMissing,
                "{email:?}"
            );
        }
    }
}

#[test]
fn a_proven_email_gives_what_the_policy_says() {
    let outcomes = |policy: &'static str| {
        let instance = Instance::new(&[("SSO_JIT_POLICY", policy)]);
        instance.account("bob@corp.com", true, Some(Role::Admin));
        instance.invite("invited@corp.com", Role::Admin);
        let role =
            |subject, email| instance.enter(&somebody(subject, Some(email), true)).map(|(_, role)| role);
        [role("s1", "new@corp.com"), role("s2", "Bob@Corp.com"), role("s3", "invited@corp.com")]
    };
    use Refusal::NotInvited;
    assert_eq!(outcomes("disabled"), [Err(NotInvited), Err(NotInvited), Ok(Role::Admin)]);
    assert_eq!(outcomes("existing_user"), [Err(NotInvited), Ok(Role::Admin), Ok(Role::Admin)]);
    assert_eq!(outcomes("create_member"), [Ok(Role::Member), Ok(Role::Admin), Ok(Role::Admin)]);
}

#[test]
fn a_linked_person_is_found_by_subject_whatever_the_email() {
    let instance = Instance::new(&[("SSO_JIT_POLICY", "existing_user")]);
    let bob = instance.account("bob@corp.com", true, Some(Role::Member));
    let first = instance.enter(&somebody("s1", Some("bob@corp.com"), true)).unwrap();
    assert_eq!(first.0, bob.id);
    for (email, verified) in [(Some("other@corp.com"), true), (Some("owner@corp.com"), false), (None, false)]
    {
        assert_eq!(instance.enter(&somebody("s1", email, verified)).unwrap().0, bob.id);
    }
}

#[test]
fn an_account_that_belongs_to_another_subject_is_not_linked_again() {
    let instance = Instance::new(&[("SSO_JIT_POLICY", "create_member")]);
    instance.enter(&somebody("s1", Some("bob@corp.com"), true)).unwrap();
    let refused = instance.enter(&somebody("s2", Some("bob@corp.com"), true)).unwrap_err();
    assert_eq!(refused, Refusal::IdentityConflict);
    // The same subject of another issuer is another person.
    let elsewhere = ProviderIdentity { issuer: "https://evil.example".into(), ..somebody("s1", None, true) };
    assert_eq!(instance.enter(&elsewhere).unwrap_err(), Refusal::EmailMissing);
}

#[test]
fn an_unproven_account_loses_its_credentials_to_its_owner() {
    let instance = Instance::new(&[("SSO_JIT_POLICY", "existing_user")]);
    let attacker = instance.account("victim@corp.com", false, Some(Role::Member));
    instance.link(attacker.clone(), &somebody("attacker", Some("victim@corp.com"), true));
    let session = new_sign_in(Method::Password);
    let personal = [9; 32];
    let (stored, user) = (session.clone(), attacker.id);
    instance.write(move |tx| {
        sign_in::sql::add(tx, user, &stored, now())?;
        let scopes = vec![tokens::TokenScope::Admin];
        let new = tokens::sql::NewToken {
            user,
            name: "t".into(),
            prefix: "pat_".into(),
            hash: personal,
            scopes,
            expires_at: None,
        };
        tokens::sql::create(tx, &new, now())
    });
    let (victim, _) = instance.enter(&somebody("victim", Some("victim@corp.com"), true)).unwrap();
    assert_eq!(victim, attacker.id);
    let left = instance.write(move |tx| {
        let account = admission::sql::by_id(tx, victim)?.unwrap();
        let session = sign_in::sql::find(tx, &session.token_hash, true, now())?.is_some();
        let token = tokens::sql::find(tx, &personal, true, now())?.is_some();
        Ok((account.password_hash, account.email_proven, session, token))
    });
    assert_eq!(left, (None, true, false, false));
    // The attacker's own subject is no longer linked to anything.
    let back = instance.enter(&somebody("attacker", Some("victim@corp.com"), true)).unwrap_err();
    assert_eq!(back, Refusal::IdentityConflict);
}

#[test]
fn a_proven_account_keeps_its_password_when_linked() {
    let instance = Instance::new(&[("SSO_JIT_POLICY", "existing_user")]);
    let bob = instance.account("bob@corp.com", true, Some(Role::Member));
    instance.enter(&somebody("s1", Some("bob@corp.com"), true)).unwrap();
    let account = instance.write(move |tx| admission::sql::by_id(tx, bob.id)).unwrap();
    assert_eq!(account.password_hash.as_deref(), Some("hash"));
}

#[test]
fn removed_and_disabled_people_stay_out_whether_linked_or_not() {
    for policy in POLICIES {
        for linked in [true, false] {
            let instance = Instance::new(&[("SSO_JIT_POLICY", policy), ("ADMIN_EMAILS", "off@corp.com")]);
            let gone = instance.account("gone@corp.com", true, Some(Role::Member));
            let off = instance.account("off@corp.com", true, Some(Role::Admin));
            if linked {
                instance.link(gone.clone(), &somebody("s1", None, true));
                instance.link(off.clone(), &somebody("s2", None, true));
            }
            instance.remove(gone.id);
            instance.write(move |tx| sql::set_disabled(tx, off.id, true, now()));
            let refused = instance.enter(&somebody("s1", Some("gone@corp.com"), true)).unwrap_err();
            assert!(matches!(refused, Refusal::AccountRemoved | Refusal::NotInvited), "{policy} {refused:?}");
            let refused = instance.enter(&somebody("s2", Some("off@corp.com"), true)).unwrap_err();
            assert_eq!(refused, Refusal::AccountDisabled, "{policy}");
            // An invitation brings back a removed person, but not a disabled one.
            instance.invite("gone@corp.com", Role::Member);
            assert!(
                instance.enter(&somebody("s1", Some("gone@corp.com"), true)).is_ok(),
                "{policy} {linked}"
            );
        }
    }
}

#[test]
fn listed_people_are_admins_again_at_their_next_sign_in() {
    let variables = [("SSO_JIT_POLICY", "existing_user"), ("ADMIN_EMAILS", "boss@corp.com,second@corp.com")];
    let instance = Instance::new(&variables);
    let boss = instance.account("boss@corp.com", true, Some(Role::Member));
    assert_eq!(instance.enter(&somebody("s1", Some("boss@corp.com"), true)).unwrap().1, Role::Admin);
    instance.remove(boss.id);
    assert_eq!(instance.enter(&somebody("s1", None, false)).unwrap().1, Role::Admin, "by the proof of then");
    // One that was never proven is proven by this sign-in, and only by a proven e-mail.
    let second = instance.account("second@corp.com", false, Some(Role::Member));
    instance.link(second, &somebody("s2", None, false));
    assert_eq!(instance.enter(&somebody("s2", None, false)).unwrap().1, Role::Member);
    assert_eq!(instance.enter(&somebody("s2", Some("second@corp.com"), false)).unwrap().1, Role::Member);
    assert_eq!(instance.enter(&somebody("s2", Some("second@corp.com"), true)).unwrap().1, Role::Admin);
}

#[test]
fn only_listed_domains_are_provisioned_and_exactly() {
    let variables = [("SSO_JIT_POLICY", "create_member"), ("SSO_ALLOWED_DOMAINS", "corp.com")];
    let instance = Instance::new(&variables);
    for email in ["a@evilcorp.com", "a@sub.corp.com", "a@corp.com.evil.example", "a@corp.co"] {
        let refused = instance.enter(&somebody(email, Some(email), true)).unwrap_err();
        assert_eq!(refused, Refusal::DomainNotAllowed, "{email}");
    }
    assert!(instance.enter(&somebody("s1", Some("a@CORP.com"), true)).is_ok());
}

#[test]
fn the_domain_list_applies_to_invitations_unless_people_join_without_one() {
    let github = |email| ProviderIdentity {
        provider: ProviderKind::GitHub,
        issuer: "https://api.github.com".into(),
        ..somebody("1", Some(email), true)
    };
    let instance = Instance::new(&[("ALLOWED_EMAIL_DOMAINS", "corp.com")]);
    instance.invite("a@other.com", Role::Member);
    assert_eq!(instance.enter(&github("a@other.com")).unwrap_err(), Refusal::DomainNotAllowed);
    assert_eq!(
        instance.enter(&somebody("s1", Some("a@other.com"), true)).unwrap_err(),
        Refusal::DomainNotAllowed
    );
    // The code host creates no account without an invitation.
    assert_eq!(instance.enter(&github("new@corp.com")).unwrap_err(), Refusal::NotInvited);
}

#[test]
fn the_role_comes_from_the_invitation_the_default_or_the_floor() {
    let variables = [
        ("SSO_JIT_POLICY", "create_member"),
        ("SSO_DEFAULT_ROLE", "admin"),
        ("ADMIN_EMAILS", "floor@corp.com"),
    ];
    let instance = Instance::new(&variables);
    instance.invite("invited@corp.com", Role::Member);
    instance.invite("floor@corp.com", Role::Member);
    let role = |email: &str| instance.enter(&somebody(email, Some(email), true)).unwrap().1;
    assert_eq!(role("new@corp.com"), Role::Admin);
    assert_eq!(role("invited@corp.com"), Role::Member);
    assert_eq!(role("floor@corp.com"), Role::Admin);
}

#[test]
fn deciding_changes_nothing() {
    let instance = Instance::new(&[("SSO_JIT_POLICY", "create_member")]);
    let config = instance.config.clone();
    let decide = move |tx: &Transaction<'_>| {
        decide(
            tx,
            Policy { config: &config, single_org: true },
            &somebody("s1", Some("new@corp.com"), true),
            now(),
        )
    };
    let (first, again) = (instance.write(decide.clone()), instance.write(decide));
    assert!(matches!(first, Decision::Create { role: Some(Role::Member), .. }), "{first:?}");
    assert!(matches!(again, Decision::Create { .. }));
}

#[test]
fn a_signed_in_person_links_a_proven_identity_that_nobody_else_has() {
    let instance = Instance::new(&[]);
    let bob = instance.account("bob@corp.com", true, Some(Role::Member)).id;
    let link_own = |user, somebody: ProviderIdentity| {
        instance.write(move |tx| link_own(tx, &somebody, user, HERE, now()))
    };
    let other = somebody("s1", Some("bob@home.example"), true);
    assert_eq!(link_own(bob, somebody("s1", Some("bob@corp.com"), false)), Err(Refusal::EmailUnverified));
    assert_eq!(link_own(bob, other.clone()), Ok(()));
    assert_eq!(link_own(instance.owner, other.clone()), Err(Refusal::IdentityConflict));
    assert_eq!(link_own(bob, somebody("s2", Some("bob@corp.com"), true)), Err(Refusal::IdentityConflict));
    assert_eq!(instance.enter(&other).unwrap().0, bob);
}

#[test]
fn an_instance_is_claimed_through_a_provider_once() {
    let instance = Instance::new(&[]);
    let claimed = instance.write(|tx| {
        let new = new_sign_in(Method::Sso);
        claim(tx, &somebody("s1", Some("late@corp.com"), true), ([7; 32], "Acme".into()), &new, HERE, now())
    });
    assert_eq!(claimed.map(|user| user.email), Err(Refusal::SetupToken));
    assert_eq!(instance.config.sso.as_ref().map(|sso| sso.jit_policy), Some(JitPolicy::Disabled));
}
