//! E-mail addresses.

use crate::error::{Error, Result};

/// Normalizes an e-mail address to the form in which accounts are compared.
///
/// # Errors
/// If it is not `name@host.tld` of at most 254 ASCII characters without spaces or control characters.
pub fn normal_email(email: &str) -> Result<String> {
    let wrong = || Error::invalid("email: expected an address such as ada@example.com");
    let email = email.trim().to_ascii_lowercase();
    let (local, host) = email.split_once('@').ok_or_else(wrong)?;
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let host_is_good = host == "localhost" || (host.contains('.') && host.split('.').all(label));
    let local_is_good = !local.is_empty()
        && local.len() <= 64
        && local
            .chars()
            .all(|c| c.is_ascii_graphic() && !matches!(c, '@' | ',' | ';' | '<' | '>' | '"' | '\\'));
    if email.len() > 254 || !host_is_good || !local_is_good {
        return Err(wrong());
    }
    Ok(email)
}
