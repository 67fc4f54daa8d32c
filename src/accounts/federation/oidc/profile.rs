//! From verified claims to a profile.

use crate::accounts::federation::answer::{self, Document};
use crate::accounts::federation::{Profile, display_name};
use serde_json::Value;

/// The profile, and a sentence about its e-mail. The e-mail comes from the ID token if it has one; its proof
/// must be in the same document and be the boolean `true`.
pub(super) fn assemble(
    issuer: &str,
    subject: String,
    claims: &Document,
    user_info: Option<&Document>,
) -> (Profile, String) {
    let documents = [(Some(claims), "the ID token"), (user_info, "the user info")];
    let documents = documents.map(|(document, place)| document.map(|document| (document, place)));
    let mut documents = documents.into_iter().flatten();
    let name = documents.clone().find_map(|(document, _)| display_name(answer::text(document, "name")));
    let found = documents.find_map(|(document, place)| {
        answer::text(document, "email").map(|email| (email, document.get("email_verified"), place))
    });
    let email_verified = matches!(found, Some((_, Some(Value::Bool(true)), _)));
    let email = found.map(|(email, _, _)| email.to_owned());
    let profile =
        Profile { issuer: issuer.to_owned(), subject, email, email_verified, other_emails: Vec::new(), name };
    (profile, proof(found))
}

fn proof(found: Option<(&str, Option<&Value>, &str)>) -> String {
    let Some((email, verified, place)) = found else {
        return "There is no e-mail in the ID token or the user info; is the scope email allowed?".to_owned();
    };
    let email = crate::text::shown(email, 254);
    let got = match verified {
        Some(Value::Bool(true)) => return format!("{email}, verified, from {place}."),
        None => "is missing".to_owned(),
        Some(value) => format!("is {}", crate::text::shown(&value.to_string(), 40)),
    };
    format!("{email} is not proven: email_verified in {place} {got}, expected the boolean true.")
}
