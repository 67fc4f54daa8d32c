//! Mail over SMTP.

use super::{CONNECT, Failure, Letter, UNSUBSCRIBE_POST};
use crate::config::TLS_REQUIRED;
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use percent_encoding::percent_decode_str;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, UNIX_EPOCH};
use url::{Host, Url};

/// Answers that concern the mailbox or the message: the next attempt would get the same one. Others of their
/// class, such as a refused password, can be fixed by the operator, after which mail is sent.
const REFUSED: [u16; 5] = [550, 551, 552, 553, 554];

/// The SMTP server in `SERVICE_MAIL_SMTP_URL`. Each mail uses its own connection.
pub(super) struct Relay(AsyncSmtpTransport<Tokio1Executor>);

impl Relay {
    /// `domain` is the one we greet with: the sender's.
    ///
    /// # Errors
    /// If the address is not valid, or TLS cannot be set up.
    pub(super) fn new(url: &Secret, domain: &str) -> Result<Self> {
        // The causes are not reported, because they could contain the password.
        let fault = || Error::internal("SERVICE_MAIL_SMTP_URL cannot be used");
        let url = Url::parse(url.as_str()).map_err(|_| fault())?;
        let host = url.host().ok_or_else(fault)?.to_owned();
        let name = host.to_string();
        let name = name.trim_start_matches('[').trim_end_matches(']').to_owned();
        let wrapped = url.scheme() == "smtps";
        let tls = tls(&url, &host, &name)?;
        let decode =
            |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| fault());
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(name)
            .port(url.port().unwrap_or(default_port(wrapped, url.password().is_some())))
            .tls(tls)
            .timeout(Some(CONNECT));
        if let Some(password) = url.password() {
            builder = builder.credentials(Credentials::new(decode(url.username())?, decode(password)?));
        }
        Ok(Self(builder.hello_name(ClientId::Domain(domain.to_owned())).build()))
    }

    pub(super) async fn send(&self, from: &Mailbox, letter: &Letter) -> Result<(), Failure> {
        let message = message(from, letter).map_err(|error| Failure::permanent(error.to_string()))?;
        match self.0.send(message).await {
            Ok(_) => Ok(()),
            Err(error) => {
                let code = error.status().map(u16::from);
                let text = format!("the mail server said: {}", with_causes(&error));
                let refused = code.is_some_and(|code| REFUSED.contains(&code));
                Err(if refused { Failure::permanent(text) } else { Failure::passing(text) })
            }
        }
    }
}

/// The submission port with a password, the relay port without.
fn default_port(wrapped: bool, password: bool) -> u16 {
    match (wrapped, password) {
        (true, _) => 465,
        (false, true) => 587,
        (false, false) => 25,
    }
}

/// STARTTLS is required if the address says so or a password would leave this machine, used if offered otherwise, and not
/// used to this machine itself.
fn tls(url: &Url, host: &Host<String>, name: &str) -> Result<Tls> {
    let parameters = || TlsParameters::new(name.to_owned()).map_err(Error::internal);
    Ok(match (url.scheme() == "smtps", is_loopback(host), url.password().is_some()) {
        (true, _, _) => Tls::Wrapper(parameters()?),
        _ if url.query() == Some(TLS_REQUIRED) => Tls::Required(parameters()?),
        (_, true, _) => Tls::None,
        (_, _, true) => Tls::Required(parameters()?),
        _ => Tls::Opportunistic(parameters()?),
    })
}

fn is_loopback(host: &Host<String>) -> bool {
    let named = |name: &str| name == "localhost" || name.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback());
    match host {
        // `url` parses hosts of unknown schemes as names, including IPv4 addresses.
        Host::Domain(name) => named(name),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => IpAddr::V6(*address).to_canonical().is_loopback(),
    }
}

/// The builder writes the headers and encodes what needs encoding.
fn message(from: &Mailbox, letter: &Letter) -> Result<Message, lettre::error::Error> {
    let to = Mailbox::new(None, letter.to.parse().map_err(|_| lettre::error::Error::MissingTo)?);
    let sent_at = UNIX_EPOCH + Duration::from_millis(u64::try_from(letter.created_at.millis()).unwrap_or(0));
    let builder = Message::builder()
        .from(from.clone())
        .to(to)
        .subject(letter.subject.as_str())
        .date(sent_at)
        .message_id(Some(format!("<{}@{}>", letter.idempotency_key, from.email.domain())));
    let builder = match &letter.thread {
        Some(thread) => builder.in_reply_to(format!("<{thread}>")).references(format!("<{thread}>")),
        None => builder,
    };
    let builder = match &letter.unsubscribe {
        Some(url) => {
            let (name, value) = UNSUBSCRIBE_POST;
            builder
                .raw_header(raw("List-Unsubscribe", format!("<{url}>")))
                .raw_header(raw(name, value.to_owned()))
        }
        None => builder,
    };
    match &letter.html {
        Some(html) => builder.multipart(MultiPart::alternative_plain_html(letter.text.clone(), html.clone())),
        None => builder.header(ContentType::TEXT_PLAIN).body(letter.text.clone()),
    }
}

/// A header that is visible ASCII and must not be encoded.
fn raw(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let said = next.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = next.source();
    }
    text
}
