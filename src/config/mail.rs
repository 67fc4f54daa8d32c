//! How mail leaves.

use super::Secret;

/// The way that mail takes.
#[derive(Debug, Clone)]
pub enum MailWay {
    /// `MAIL_API_KEY`, sent to `SERVICE_MAIL_API_URL` (default `https://api.resend.com/emails`).
    Api { url: String, key: Secret },
    /// `SERVICE_MAIL_SMTP_URL`: `smtp://[user:password@]host[:port]`, `smtps://…`; a secret as a whole.
    Smtp(Secret),
}

/// Mail, where it is configured: a way and a sender.
#[derive(Debug, Clone)]
pub struct MailConfig {
    pub way: MailWay,
    /// `MAIL_FROM_EMAIL`: `name@host` or `Name <name@host>`.
    pub from: String,
}
