use super::unsubscribe::{make, read};
use super::*;
use crate::crypto::secret::Secret;

#[test]
fn a_token_identifies_the_person_and_the_mails() {
    let secret = Secret::new("the secret of this instance, long enough");
    for mails in Category::ALL.map(Mails::Of).into_iter().chain([Mails::All, Mails::Report]) {
        let token = make(&secret, UserId(7), mails);
        assert!(token.chars().all(|c| c.is_ascii_alphanumeric() || c == '.'), "{token}");
        assert_eq!(read(&secret, &token), Some((UserId(7), mails)));
        for forged in [
            token.replace("7.", "8."),
            token.replace(mails.as_str(), "x"),
            token[..token.len() - 1].to_owned(),
            format!("{token}0"),
            format!("0{token}"),
            token.to_uppercase(),
        ] {
            assert_eq!(read(&secret, &forged), None, "{forged}");
        }
        assert_eq!(read(&Secret::new("the secret of another instance, as long"), &token), None);
    }
    for nothing in ["", ".", "..", "7", "7.error", "7.error.", "x.error.00", "99999999999999999999.error.0"] {
        assert_eq!(read(&secret, nothing), None, "{nothing}");
    }
}
