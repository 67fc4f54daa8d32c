//! Statements that find, link or create the account of a person.

use super::{Decision, ProviderIdentity, Refusal};
use crate::accounts::admission::{self, Account, domain_is_allowed, is_listed, sql::ProvenCredentials};
use crate::accounts::me::ProviderKind;
use crate::accounts::sign_in::{self, Method, NewSignIn};
use crate::accounts::sql::Mailbox;
use crate::accounts::{self, User, check_name, name_from};
use crate::audit::{self, Actor};
use crate::config::{JitPolicy, SignInConfig};
use crate::error::{Error, Result};
use crate::ids::{IdentityId, UserId};
use crate::organizations::invitations::{self, OpenInvitation};
use crate::organizations::sql as organizations;
use crate::roles::Role;
use crate::signals;
use crate::text::email::normal_email;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::json;
use std::net::IpAddr;

/// The instance's policy for admitting people.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    pub config: &'a SignInConfig,
    pub single_org: bool,
}

impl Policy<'_> {
    /// A code host links existing accounts, and creates none without an invitation.
    fn jit(self, provider: ProviderKind) -> JitPolicy {
        match (provider, &self.config.sso) {
            (ProviderKind::Sso, Some(sso)) => sso.jit_policy,
            (ProviderKind::Sso, None) => JitPolicy::Disabled,
            (ProviderKind::GitHub, _) => JitPolicy::ExistingUser,
        }
    }

    fn domain_is_allowed(self, provider: ProviderKind, email: &str) -> bool {
        match (provider, &self.config.sso) {
            (ProviderKind::Sso, Some(sso)) => domain_is_allowed(&sso.allowed_domains, email),
            _ => true,
        }
    }

    /// The valid invitation of a proven e-mail. `ALLOWED_EMAIL_DOMAINS` applies as well, unless the policy
    /// admits people without an invitation.
    fn invitation(
        self,
        c: &Connection,
        provider: ProviderKind,
        email: &str,
        now: Timestamp,
    ) -> Result<std::result::Result<Option<OpenInvitation>, Refusal>> {
        let open = invitations::sql::open_by_email(c, email, now)?.into_iter().next();
        let gate_holds = self.jit(provider) == JitPolicy::CreateMember
            || domain_is_allowed(&self.config.allowed_email_domains, email);
        Ok(if open.is_some() && !gate_holds { Err(Refusal::DomainNotAllowed) } else { Ok(open) })
    }

    fn default_role(self) -> Role {
        self.config.sso.as_ref().map_or(Role::Member, |sso| sso.default_role)
    }
}

/// What a sign-in of `somebody` would do, without doing it.
pub fn decide(
    c: &Connection,
    policy: Policy<'_>,
    somebody: &ProviderIdentity,
    now: Timestamp,
) -> Result<Decision> {
    let refuse = |refusal| Ok(Decision::Refuse(refusal));
    if let Some((identity, user)) = find(c, somebody)? {
        return Ok(match admission::sql::by_id(c, user)? {
            Some(account) if !account.disabled => Decision::Known { identity, user },
            _ => Decision::Refuse(Refusal::AccountDisabled),
        });
    }
    let email = match proven_email(somebody) {
        Ok(email) => email,
        Err(refusal) => return refuse(refusal),
    };
    if !policy.domain_is_allowed(somebody.provider, &email) {
        return refuse(Refusal::DomainNotAllowed);
    }
    let invitation = policy.invitation(c, somebody.provider, &email, now)?;
    if let Some(account) = admission::sql::by_email(c, &email)? {
        return decide_link(c, policy, somebody, account, invitation.ok().flatten());
    }
    if let Ok(None) = invitation
        && let Some((email, open)) = invited(c, policy, somebody, now)?
    {
        return match admission::sql::by_email(c, &email)? {
            Some(account) => decide_link(c, policy, somebody, account, Some(open)),
            None => Ok(decide_create(policy, somebody, email, Some(open))),
        };
    }
    Ok(invitation.map_or_else(Decision::Refuse, |open| decide_create(policy, somebody, email, open)))
}

/// The first of somebody's other addresses that has an invitation.
fn invited(
    c: &Connection,
    policy: Policy<'_>,
    somebody: &ProviderIdentity,
    now: Timestamp,
) -> Result<Option<(String, OpenInvitation)>> {
    let emails = somebody.other_emails.iter().filter_map(|email| normal_email(email).ok());
    for email in emails.filter(|email| policy.domain_is_allowed(somebody.provider, email)) {
        if let Some(open) = policy.invitation(c, somebody.provider, &email, now)?.ok().flatten() {
            return Ok(Some((email, open)));
        }
    }
    Ok(None)
}

fn decide_link(
    c: &Connection,
    policy: Policy<'_>,
    somebody: &ProviderIdentity,
    account: Account,
    invitation: Option<OpenInvitation>,
) -> Result<Decision> {
    let refuse = |refusal| Ok(Decision::Refuse(refusal));
    if account.disabled {
        return refuse(Refusal::AccountDisabled);
    }
    // An account whose e-mail nobody has proven goes to the person who proves it now; otherwise it stays with
    // the person who has.
    if account.email_proven && has_identity(c, account.id(), somebody)? {
        return refuse(Refusal::IdentityConflict);
    }
    if policy.jit(somebody.provider) == JitPolicy::Disabled && invitation.is_none() {
        return refuse(Refusal::NotInvited);
    }
    let comes_back = invitation.is_some() || is_listed(policy.config, &account.user.email);
    if policy.single_org && !comes_back && organizations::list(c, account.id())?.is_empty() {
        return refuse(Refusal::AccountRemoved);
    }
    Ok(Decision::Link { account: Box::new(account), invitation })
}

fn decide_create(
    policy: Policy<'_>,
    somebody: &ProviderIdentity,
    email: String,
    invitation: Option<OpenInvitation>,
) -> Decision {
    match invitation {
        Some(open) => Decision::Create { email, invitation: Some(open), role: None },
        None if policy.jit(somebody.provider) == JitPolicy::CreateMember => {
            let role = policy.single_org.then(|| policy.default_role());
            Decision::Create { email, invitation: None, role }
        }
        None => Decision::Refuse(Refusal::NotInvited),
    }
}

/// The normalized e-mail, if the provider has verified it.
pub fn proven_email(somebody: &ProviderIdentity) -> Result<String, Refusal> {
    let email = somebody.email.as_deref().ok_or(Refusal::EmailMissing)?;
    if !somebody.email_verified {
        return Err(Refusal::EmailUnverified);
    }
    normal_email(email).map_err(|_| Refusal::EmailMissing)
}

/// The person who is signed in, or why nobody is.
pub type Outcome = std::result::Result<User, Refusal>;

/// Signs `somebody` in as [`decide`] says. A refusal changes nothing except the audit log.
pub fn enter(
    tx: &Transaction<'_>,
    policy: Policy<'_>,
    somebody: &ProviderIdentity,
    new: &NewSignIn,
    address: IpAddr,
    now: Timestamp,
) -> Result<Outcome> {
    let entered = match decide(tx, policy, somebody, now)? {
        Decision::Refuse(refusal) => Err(refusal),
        Decision::Known { identity, user } => known(tx, policy, somebody, identity, user, address, now)?,
        Decision::Link { account, invitation } => {
            let actor = Actor::person(&account.user, address);
            admission::sql::prove_email(tx, &account, ProvenCredentials::default(), &actor, now)?;
            link(tx, somebody, &account.user, address, now)?;
            join(tx, invitation.as_ref(), &account.user, address, now)?;
            admit(tx, policy, &account.user, address, now)?
        }
        Decision::Create { email, invitation, role } => {
            if !policy.single_org {
                accounts::sql::open_to_many(tx, now)?;
            }
            let user = create(tx, somebody, &email, now)?;
            link(tx, somebody, &user, address, now)?;
            join(tx, invitation.as_ref(), &user, address, now)?;
            if let Some(role) = role {
                take_in(tx, &user, role, somebody, address, now)?;
            }
            admit(tx, policy, &user, address, now)?
        }
    };
    let entered = match entered {
        Ok(user) => user,
        Err(refusal) => return Ok(Err(refusal)),
    };
    sign_in::sql::add(tx, entered.id, new, now)?;
    let act = Actor::person(&entered, address).did("sign_in.succeeded", &entered.email);
    audit::sql::add(tx, &act.with(json!({ "method": new.method.as_str() })), now)?;
    Ok(Ok(entered))
}

/// Signs in a person who is already linked. A removed person can return with a valid invitation.
fn known(
    tx: &Transaction<'_>,
    policy: Policy<'_>,
    somebody: &ProviderIdentity,
    identity: IdentityId,
    user: UserId,
    address: IpAddr,
    now: Timestamp,
) -> Result<Outcome> {
    touch(tx, identity, somebody.email.as_deref(), now)?;
    let account =
        admission::sql::by_id(tx, user)?.ok_or_else(|| Error::internal("an identity without an account"))?;
    let proven = proven_email(somebody).is_ok_and(|email| email == account.user.email);
    if proven {
        let shown = ProvenCredentials { password: false, identity: Some(identity) };
        let actor = Actor::person(&account.user, address);
        admission::sql::prove_email(tx, &account, shown, &actor, now)?;
    }
    if (proven || account.email_proven) && organizations::list(tx, user)?.is_empty() {
        let open = policy.invitation(tx, somebody.provider, &account.user.email, now)?;
        join(tx, open.ok().flatten().as_ref(), &account.user, address, now)?;
    }
    admit(tx, policy, &account.user, address, now)
}

fn admit(
    tx: &Transaction<'_>,
    policy: Policy<'_>,
    user: &User,
    address: IpAddr,
    now: Timestamp,
) -> Result<Outcome> {
    let actor = Actor::person(user, address);
    match admission::sql::enter(tx, policy.config, policy.single_org, user.id, &actor, now) {
        Ok(account) => Ok(Ok(account.user)),
        Err(Error::Forbidden(_)) => Ok(Err(Refusal::AccountRemoved)),
        Err(error) => Err(error),
    }
}

fn join(
    tx: &Transaction<'_>,
    invitation: Option<&OpenInvitation>,
    user: &User,
    address: IpAddr,
    now: Timestamp,
) -> Result<()> {
    let Some(open) = invitation else { return Ok(()) };
    invitations::sql::accept(tx, open, user.id, &Actor::person(user, address), now).map(drop)
}

fn take_in(
    tx: &Transaction<'_>,
    user: &User,
    role: Role,
    somebody: &ProviderIdentity,
    address: IpAddr,
    now: Timestamp,
) -> Result<()> {
    let Some(organization) = organizations::only(tx)? else { return Ok(()) };
    organizations::add_member(tx, organization, user.id, role, now)?;
    let joined = signals::NewSignal::of_member(signals::Kind::MemberJoined, organization, user.id);
    signals::sql::add(tx, &joined.by(Some(user.id)).with(json!({ "role": role.as_str() })), now)?;
    let act = Actor::person(user, address).did("member.joined", &user.email).within(organization);
    let detail = json!({ "role": role.as_str(), "how": somebody.provider.as_str() });
    audit::sql::add(tx, &act.with(detail), now)
}

fn create(tx: &Transaction<'_>, somebody: &ProviderIdentity, email: &str, now: Timestamp) -> Result<User> {
    let name = name_of(somebody, email);
    let new = accounts::sql::NewUser { email, name: &name, password_hash: None, mailbox: Mailbox::Proven };
    accounts::sql::create(tx, &new, now)
}

/// The person's name at the provider, if it is valid here.
fn name_of(somebody: &ProviderIdentity, email: &str) -> String {
    let given = somebody.name.as_deref().and_then(|name| check_name("name", name).ok());
    given.unwrap_or_else(|| name_from(email).to_owned())
}

/// A person's identity at a provider, and the account it belongs to.
pub fn find(c: &Connection, somebody: &ProviderIdentity) -> Result<Option<(IdentityId, UserId)>> {
    let mut statement = c.prepare_cached(
        "select id, user_id from identities where provider = ?1 and issuer = ?2 and subject = ?3",
    )?;
    let key = params![somebody.provider.as_str(), somebody.issuer, somebody.subject];
    let row = statement.query_row(key, |row| Ok((IdentityId(row.get(0)?), UserId(row.get(1)?))));
    Ok(row.optional()?)
}

fn has_identity(c: &Connection, user: UserId, somebody: &ProviderIdentity) -> Result<bool> {
    Ok(c.query_row(
        "select exists (select 1 from identities where user_id = ?1 and provider = ?2 and issuer = ?3)",
        params![user.0, somebody.provider.as_str(), somebody.issuer],
        |row| row.get(0),
    )?)
}

/// Links an account to a person at a provider.
pub fn link(
    tx: &Transaction<'_>,
    somebody: &ProviderIdentity,
    user: &User,
    address: IpAddr,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into identities (user_id, provider, issuer, subject, email, created_at, last_used_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        params![
            user.id.0,
            somebody.provider.as_str(),
            somebody.issuer,
            somebody.subject,
            somebody.email,
            now.millis()
        ],
    )?;
    // Nobody needs to warn the owner of an account that is just being created.
    if user.created_at < now {
        let linked = signals::NewSignal::of_account(signals::Kind::IdentityLinked, user.id);
        signals::sql::add(tx, &linked.with(json!({ "provider": somebody.provider.as_str() })), now)?;
    }
    let act = Actor::person(user, address).did("identity.linked", &user.email);
    let detail = json!({ "provider": somebody.provider.as_str(), "issuer": somebody.issuer });
    audit::sql::add(tx, &act.with(detail), now)
}

/// Links the account of a person who is signed in. Their e-mail at the provider may differ from the
/// account's, but must be verified, so that no half-registered account of the provider can be linked.
pub fn link_own(
    tx: &Transaction<'_>,
    somebody: &ProviderIdentity,
    user: UserId,
    address: IpAddr,
    now: Timestamp,
) -> Result<std::result::Result<(), Refusal>> {
    let account = admission::sql::by_id(tx, user)?.filter(|account| !account.disabled);
    let Some(account) = account else { return Ok(Err(Refusal::AccountDisabled)) };
    if let Err(refusal) = proven_email(somebody) {
        return Ok(Err(refusal));
    }
    if find(tx, somebody)?.is_some() || has_identity(tx, user, somebody)? {
        return Ok(Err(Refusal::IdentityConflict));
    }
    link(tx, somebody, &account.user, address, now)?;
    Ok(Ok(()))
}

/// Claims the instance for a person at a provider: the first account has no password.
pub fn claim(
    tx: &Transaction<'_>,
    somebody: &ProviderIdentity,
    (token_hash, organization): ([u8; 32], String),
    new: &NewSignIn,
    address: IpAddr,
    now: Timestamp,
) -> Result<Outcome> {
    let email = match proven_email(somebody) {
        Ok(email) => email,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let name = name_of(somebody, &email);
    let claim = accounts::sql::Claim { token_hash, email, name, password_hash: None, organization };
    let (user, id) = match accounts::sql::claim(tx, &claim, now) {
        Ok(claimed) => claimed,
        Err(Error::Forbidden(_) | Error::NotFound(_)) => return Ok(Err(Refusal::SetupToken)),
        Err(error) => return Err(error),
    };
    link(tx, somebody, &user, address, now)?;
    sign_in::sql::add(tx, user.id, &NewSignIn { method: Method::Setup, ..new.clone() }, now)?;
    let act = Actor::person(&user, address).did("instance.claimed", &claim.organization).within(id);
    audit::sql::add(tx, &act, now)?;
    Ok(Ok(user))
}

fn touch(tx: &Transaction<'_>, id: IdentityId, email: Option<&str>, now: Timestamp) -> Result<()> {
    tx.execute(
        "update identities set last_used_at = ?2, email = coalesce(?3, email) where id = ?1",
        params![id.0, now.millis(), email],
    )?;
    Ok(())
}
