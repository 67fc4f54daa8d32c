//! Who may sign in: checked when an account is created and at every sign-in, whatever the method.
//!
//! A disabled account cannot sign in, and neither, in an instance of one organization, can somebody who was
//! removed from it. `ADMIN_EMAILS` is a floor: a person with a proven, listed address is at least admin of
//! that organization, and is taken back into it if they were removed. Removing an address from the list
//! demotes nobody.

pub mod sql;

use crate::config::SignInConfig;
use crate::ids::UserId;

/// The part of an account that signing in depends on.
#[derive(Debug, Clone)]
pub struct Account {
    pub user: super::User,
    pub password_hash: Option<String>,
    /// The person has shown that the mailbox is theirs.
    pub email_proven: bool,
    /// The person joined through a link that an administrator could see.
    pub invited: bool,
    pub disabled: bool,
}

impl Account {
    pub fn id(&self) -> UserId {
        self.user.id
    }
}

/// Whether the floor applies to an account: its e-mail is listed, and is proven or was invited by an
/// administrator.
pub fn is_floored(config: &SignInConfig, account: &Account) -> bool {
    (account.email_proven || account.invited) && is_listed(config, &account.user.email)
}

/// Whether `ADMIN_EMAILS` names the address.
pub fn is_listed(config: &SignInConfig, email: &str) -> bool {
    config.admin_emails.iter().any(|listed| listed == email)
}

/// Whether the domain of a normalized e-mail address is exactly one of `domains`; an empty list allows every
/// domain.
pub fn domain_is_allowed(domains: &[String], email: &str) -> bool {
    let domain = email.rsplit_once('@').map(|(_, domain)| domain);
    domains.is_empty() || domain.is_some_and(|domain| domains.iter().any(|allowed| allowed == domain))
}

#[cfg(test)]
mod tests {
    use super::domain_is_allowed;

    #[test]
    fn a_domain_is_allowed_exactly_or_not_at_all() {
        let domains = ["corp.com".to_owned()];
        assert!(domain_is_allowed(&domains, "ada@corp.com"));
        for email in
            ["ada@evilcorp.com", "ada@sub.corp.com", "a@x@corp.com.evil", "ada@corp.com.", "ada", "ada@"]
        {
            assert!(!domain_is_allowed(&domains, email), "{email}");
        }
        assert!(domain_is_allowed(&[], "ada@example.com"));
    }
}
