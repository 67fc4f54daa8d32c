//! How mail is sent.

use super::reader::Reader;
use crate::config::values;
use crate::crypto::secret::Secret;
use crate::time::cron::Cron;
use url::Url;

/// The default address of the mail API.
const API_URL: &str = "https://api.resend.com/emails";
/// Mondays at eight.
const REPORT_SCHEDULE: &str = "0 8 * * 1";

/// What may stand behind the `?` of an SMTP address: STARTTLS, or no mail.
pub const TLS_REQUIRED: &str = "tls=required";

/// The way mail is sent.
#[derive(Debug, Clone)]
pub enum MailWay {
    /// `MAIL_API_KEY`, sent to `SERVICE_MAIL_API_URL` (default `https://api.resend.com/emails`).
    Api { url: String, key: Secret },
    /// `SERVICE_MAIL_SMTP_URL`: `smtp://[user:password@]host[:port][?tls=required]`, `smtps://…`; a secret as a whole.
    Smtp(Secret),
}

/// When weekly reports are mailed.
#[derive(Debug, Clone)]
pub struct ReportConfig {
    /// `SERVICE_REPORT_SCHEDULE`, a cron expression of five fields, in `SERVICE_REPORT_TIME_ZONE` (default UTC). Default
    /// `0 8 * * 1`: Mondays at eight.
    pub schedule: Cron,
}

impl ReportConfig {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let zone = reader.value("SERVICE_REPORT_TIME_ZONE", values::time_zone).unwrap_or_default();
        let given = reader.value("SERVICE_REPORT_SCHEDULE", |value| values::cron(value, &zone));
        #[expect(clippy::expect_used, reason = "a constant that a test reads")]
        let otherwise = || Cron::parse(REPORT_SCHEDULE, &zone).expect("a cron expression");
        Self { schedule: given.unwrap_or_else(otherwise) }
    }
}

/// The mail configuration: a way and a sender.
#[derive(Debug, Clone)]
pub struct MailConfig {
    pub way: MailWay,
    /// `MAIL_FROM_EMAIL`: `name@host` or `Name <name@host>`.
    pub from: String,
}

impl MailConfig {
    /// At most one way, which requires a sender. A sender alone has no effect.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let from = reader.value("MAIL_FROM_EMAIL", sender);
        let url = reader.value("SERVICE_MAIL_API_URL", values::http_url);
        let key = reader.token("MAIL_API_KEY");
        let way = match (key, smtp_url(reader)) {
            (Some(_), Some(_)) => {
                reader.fault(
                    "MAIL_API_KEY and SERVICE_MAIL_SMTP_URL are both set: there is one way to send mail, keep one of them",
                );
                return None;
            }
            (Some(key), None) => MailWay::Api { url: url.unwrap_or_else(|| API_URL.to_owned()), key },
            (None, Some(url)) => MailWay::Smtp(url),
            (None, None) => return None,
        };
        if reader.text("MAIL_FROM_EMAIL").is_none() {
            let named =
                if matches!(way, MailWay::Smtp(_)) { "SERVICE_MAIL_SMTP_URL" } else { "MAIL_API_KEY" };
            reader.fault(format!("{named} is set but MAIL_FROM_EMAIL is not: set the sender address"));
        }
        Some(Self { way, from: from? })
    }
}

/// Checks `name@host` or `Name <name@host>`, and keeps it as written.
fn sender(value: &str) -> Result<String, values::Expected> {
    let address = match value.split_once('<') {
        Some((_, rest)) => rest.strip_suffix('>').unwrap_or_default(),
        None => value,
    };
    if values::email(address).is_ok() && value.parse::<lettre::message::Mailbox>().is_ok() {
        return Ok(value.to_owned());
    }
    Err("mayday@example.com or Mayday <mayday@example.com>".into())
}

/// The value may contain a password, so it is never shown.
fn smtp_url(reader: &mut Reader<'_>) -> Option<Secret> {
    let value = reader.text("SERVICE_MAIL_SMTP_URL")?;
    if is_smtp_url(value) {
        return Some(Secret::new(value));
    }
    reader.fault(
        "SERVICE_MAIL_SMTP_URL is not accepted: expected smtp://[user:password@]host[:port][?tls=required] or smtps://…, \
         with special characters of user and password percent-encoded (the value is secret)",
    );
    None
}

fn is_smtp_url(value: &str) -> bool {
    let Ok(url) = Url::parse(value) else { return false };
    // smtps always has TLS; nothing turns it off.
    let query_is_good = match url.query() {
        None => true,
        Some(query) => query == TLS_REQUIRED && url.scheme() == "smtp",
    };
    let plain_path = matches!(url.path(), "" | "/") && query_is_good && url.fragment().is_none();
    let host = url.host_str().unwrap_or_default();
    let readable = |part: &str| percent_encoding::percent_decode_str(part).decode_utf8().is_ok();
    let pair = url.username().is_empty() == url.password().is_none();
    let user_is_good = pair && readable(url.username()) && url.password().is_none_or(readable);
    matches!(url.scheme(), "smtp" | "smtps") && !host.is_empty() && plain_path && user_is_good
}
