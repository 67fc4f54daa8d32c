//! The texts of mails. They are plain text; names in them are cut and cannot look like anything but a name,
//! and links begin with `FRONTEND_BASE_URL`, never with the host named in a request.

use super::{Kind, Mail};
use crate::config::BaseUrl;
use crate::error::{Error, Result};
use crate::roles::Role;
use crate::time::Timestamp;

/// The longest name in a mail, in characters.
const NAME_MAX: usize = 80;
const FOOTER: &str = "Mayday, error monitoring";

/// An address of this instance's Web app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(String);

impl Link {
    /// `path` begins with `/` and is visible ASCII, such as `/register?token=…`.
    ///
    /// # Errors
    /// Internal if it is anything else: a link must not lead elsewhere.
    pub fn new(frontend: &BaseUrl, path: &str) -> Result<Self> {
        let is_local = path.starts_with('/') && !path.starts_with("//");
        if is_local && path.chars().all(|c| c.is_ascii_graphic() && c != '\\') {
            return Ok(Self(format!("{frontend}{path}")));
        }
        Err(Error::internal("a link in a mail is not a path of the Web app"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Invites somebody to join.
#[derive(Debug, Clone)]
pub struct Invitation<'a> {
    pub organization: &'a str,
    /// The inviter; unknown if their account has been deleted.
    pub inviter: Option<&'a str>,
    pub role: Role,
    pub link: Link,
    pub expires_at: Timestamp,
}

/// # Errors
/// Like all of these: invalid if `to` is not an address.
pub fn invitation(to: &str, of: &Invitation<'_>) -> Result<Mail> {
    let organization = name(of.organization);
    let inviter = of.inviter.map(name).filter(|name| !name.is_empty());
    let asked = match inviter {
        Some(inviter) => format!("{inviter} invites you to join {organization}"),
        None => format!("You are invited to join {organization}"),
    };
    let text = format!(
        "{asked} on Mayday as {role}.\n\n\
         Accept the invitation here:\n{link}\n\n\
         The link is for {to} and works once, until {until}.\n\
         If you do not know what this is about, do nothing: without the link nothing happens.\n",
        role = of.role.as_str(),
        link = of.link.as_str(),
        until = day(of.expires_at),
    );
    letter(Kind::Invitation, to, &format!("{asked} on Mayday"), text)
}

/// Somebody, perhaps not the account's owner, requested a new password. The link is valid for 1 h.
pub fn password_reset(to: &str, link: &Link) -> Result<Mail> {
    let text = format!(
        "Somebody requested a new password for the Mayday account of {to}.\n\n\
         Set it here:\n{}\n\n\
         The link works once, for one hour. If it was not you, do nothing: your password stays as it is.\n",
        link.as_str()
    );
    letter(Kind::PasswordReset, to, "Set a new Mayday password", text)
}

/// Sent to the new mailbox, which the link proves.
pub fn email_change(to: &str, link: &Link) -> Result<Mail> {
    let text = format!(
        "Somebody wants to use this address for their Mayday account.\n\n\
         Confirm it here:\n{}\n\n\
         The link works once, for one hour. If it was not you, do nothing: nothing changes.\n",
        link.as_str()
    );
    letter(Kind::EmailChange, to, "Confirm your address for Mayday", text)
}

/// Sent to the account's mailbox, so that a change by somebody else does not go unnoticed.
pub fn password_changed(to: &str, at: Timestamp) -> Result<Mail> {
    notice(to, "Your Mayday password was changed", &format!("The password was changed at {}.", moment(at)))
}

/// Sent to the account's previous mailbox.
pub fn email_changed(to: &str, new: &str, at: Timestamp) -> Result<Mail> {
    let said = format!("The address of your account was changed to {} at {}.", name(new), moment(at));
    notice(to, "The address of your Mayday account was changed", &said)
}

fn notice(to: &str, subject: &str, said: &str) -> Result<Mail> {
    let text = format!(
        "{said}\n\nIf it was you, there is nothing to do. If it was not, ask an administrator of your \
         Mayday at once: somebody else may have access to your account.\n"
    );
    letter(Kind::Notice, to, subject, text)
}

fn letter(kind: Kind, to: &str, subject: &str, text: String) -> Result<Mail> {
    Mail::new(kind, to, subject, format!("{text}\n-- \n{FOOTER}\n"))
}

/// A name that is safe in a line: no control characters, nothing invisible or that changes the direction of
/// text, no address that a mail program would turn into a link, at most 80 characters.
fn name(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let seen = spaced.replace("://", " ").replace("www.", "www ");
    let seen: String = seen.chars().filter(|c| !c.is_control() && !is_unseen(*c)).take(NAME_MAX).collect();
    seen.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

fn moment(at: Timestamp) -> String {
    format!("{} UTC", at.to_string().chars().take(16).collect::<String>().replace('T', " "))
}
