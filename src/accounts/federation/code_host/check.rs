//! Checks of a code host that need nobody to sign in.

use super::{CodeHostProvider, Grant, POLICY, token};
use crate::accounts::federation::{FederationError, Recorder, Report, Result, answer};
use crate::outbound::{OutboundError, Request, Response};

/// The steps of [`CodeHostProvider::check`].
pub const CHECK_STEPS: &[&str] = &[AUTHORIZE, API, CLIENT];
const AUTHORIZE: &str = "Authorize address";
const API: &str = "API address";
const CLIENT: &str = "Token address, client id and secret";

impl CodeHostProvider {
    /// Requests each configured address; takes at most about 30 s. If one fails, the others are still tried.
    pub async fn check(&self) -> Report {
        let mut recorder = Recorder::new(CHECK_STEPS);
        // The report holds the failures.
        let _ = recorder.note(AUTHORIZE, self.check_authorize().await, Clone::clone);
        let _ = recorder.note(API, self.check_api().await, Clone::clone);
        let _ = recorder.note(CLIENT, self.check_client().await, Clone::clone);
        recorder.report("github")
    }

    /// Any status below 500 will do: without its parameters, the page may answer as it likes.
    async fn check_authorize(&self) -> Result<String> {
        let url = &self.settings.authorize_url;
        let status = match self.client.fetch(Request::get(url), POLICY).await {
            Ok(response) if response.status.is_server_error() || response.status == 404 => {
                return Err(answer::unexpected(AUTHORIZE, &response));
            }
            Ok(Response { status, .. }) | Err(OutboundError::Redirect { status, .. }) => status,
            Err(error) => return Err(error.into()),
        };
        Ok(format!("{url} answers ({status})."))
    }

    /// Without a token an API refuses the request, which shows that it is one.
    async fn check_api(&self) -> Result<String> {
        let url = format!("{}/user", self.api());
        let response = self.client.fetch(Request::get(&url), POLICY).await?;
        match response.status.as_u16() {
            401 | 403 => Ok(format!("{url} answers and requires a sign-in.")),
            404 => Err(FederationError::invalid(format!(
                "{url} answers 404; for a Gitea the address ends in /api/v1, for a GitHub Enterprise in /api/v3"
            ))),
            _ => Err(answer::unexpected(API, &response)),
        }
    }

    /// Sends a made-up code: a host that refuses only the code knows the client.
    async fn check_client(&self) -> Result<String> {
        let grant = Grant {
            redirect_uri: "http://localhost/",
            code: "mayday-check",
            pkce_verifier: "mayday-check-mayday-check-mayday-check-mayday",
        };
        match token::redeem(&self.client, &self.token_endpoint(), grant).await {
            Err(FederationError::ProviderRefused { error, .. })
                if !["incorrect_client_credentials", "invalid_client", "Not Found"]
                    .contains(&error.as_str()) =>
            {
                Ok(format!("The host refused only the made-up code that it was sent (`{error}`)."))
            }
            Err(error) => Err(error),
            Ok(_) => Err(FederationError::invalid("The host issued a token for a made-up code")),
        }
    }
}
