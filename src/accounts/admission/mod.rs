//! Who may come in, asserted whenever an account is made and at every sign-in, whatever the method.
//!
//! A disabled account never signs in. In an instance of one organization, neither does somebody who
//! was removed from it. `ADMIN_EMAILS` is a floor: whoever was shown to own a listed mailbox is at
//! least admin of that organization, and is taken back into it; leaving the list demotes nobody.

pub mod sql;

use crate::config::SignInConfig;
use crate::ids::UserId;

/// What an account is, as far as signing in goes.
#[derive(Debug, Clone)]
pub struct Account {
    pub user: super::User,
    pub password_hash: Option<String>,
    /// The person was shown to own the mailbox.
    pub email_proven: bool,
    /// They came by a link that an administrator was shown.
    pub invited: bool,
    pub disabled: bool,
}

impl Account {
    pub fn id(&self) -> UserId {
        self.user.id
    }
}

/// Whether the floor holds for somebody: a listed e-mail that was proven, or that an administrator invited.
pub fn is_floored(config: &SignInConfig, account: &Account) -> bool {
    (account.email_proven || account.invited) && is_listed(config, &account.user.email)
}

/// Whether `ADMIN_EMAILS` names the address.
pub fn is_listed(config: &SignInConfig, email: &str) -> bool {
    config.admin_emails.iter().any(|listed| listed == email)
}

/// Whether the domain of a normal e-mail address is one of `domains`, exactly; an empty list allows all.
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
