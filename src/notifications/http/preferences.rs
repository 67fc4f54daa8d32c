//! `/api/v1/notifications/preferences`, and the end of mails without a session.

use crate::access::{Needs, SignedIn};
use crate::accounts::people::People;
use crate::accounts::tokens::TokenScope;
use crate::deliveries::Channel;
use crate::error::{Error, Result};
use crate::http::extract::{Json, Query};
use crate::notifications::sql::{preferences, report};
use crate::notifications::{Category, Mails, PREFERENCES, Preference, unsubscribe};
use crate::store::Main;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderName, StatusCode};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

#[derive(Serialize, ToSchema)]
pub struct Preferences {
    pub preferences: Vec<Preference>,
    /// Whether this server is set up to send mail at all.
    pub mail_configured: bool,
    pub weekly_report: WeeklyReport,
}

/// A report of the week by mail.
#[derive(Serialize, ToSchema)]
pub struct WeeklyReport {
    pub enabled: bool,
    /// When the next one is mailed.
    pub next_at: Option<Timestamp>,
}

impl WeeklyReport {
    fn of(next_at: Option<Timestamp>) -> Self {
        Self { enabled: next_at.is_some(), next_at }
    }
}

/// Lists what the caller is told, one preference for each category.
#[utoipa::path(get, path = "/api/v1/notifications/preferences", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Read)))),
    responses((status = 200, body = Preferences)))]
pub async fn list_preferences(
    State(people): State<Arc<People>>,
    caller: SignedIn,
) -> Result<Answer<Preferences>> {
    let user = caller.user.id;
    let read = people.main.read(move |c| Ok((preferences::list(c, user)?, report::next_at(c, user)?)));
    let (preferences, next_at) = read.await?;
    let (mail_configured, weekly_report) = (people.deliveries.has(Channel::Mail), WeeklyReport::of(next_at));
    Ok(Answer(Preferences { preferences, mail_configured, weekly_report }))
}

#[derive(Deserialize, ToSchema)]
pub struct ChooseWeeklyReport {
    pub enabled: bool,
}

/// Chooses whether the caller is mailed a report of each week: how many events and new issues their projects had, and which
/// of these have most events.
#[utoipa::path(patch, path = "/api/v1/notifications/weekly-report", tag = "notifications",
    request_body = ChooseWeeklyReport,
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Write)))),
    responses((status = 200, body = WeeklyReport)))]
pub async fn choose_weekly_report(
    State(people): State<Arc<People>>,
    caller: SignedIn,
    Json(body): Json<ChooseWeeklyReport>,
) -> Result<Answer<WeeklyReport>> {
    let (user, standing) = (caller.user.id, caller.standing());
    let next_at = body.enabled.then(|| people.config.reports.schedule.after(Timestamp::now())).flatten();
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        match next_at {
            Some(next_at) => report::want(tx, user, next_at),
            None => report::want_no_more(tx, user),
        }?;
        report::next_at(tx, user)
    });
    Ok(Answer(WeeklyReport::of(write.await?)))
}

#[derive(Deserialize, ToSchema)]
pub struct UpdatePreference {
    #[schema(value_type = Category)]
    pub category: String,
    /// Default: as it is.
    pub in_app_enabled: Option<bool>,
    /// Default: as it is.
    pub email_enabled: Option<bool>,
}

/// Changes how the caller is told of a category from now on.
#[utoipa::path(patch, path = "/api/v1/notifications/preferences", tag = "notifications",
    request_body = UpdatePreference,
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Write)))),
    responses((status = 200, body = Preference)))]
pub async fn update_preference(
    State(main): State<Main>,
    caller: SignedIn,
    Json(body): Json<UpdatePreference>,
) -> Result<Answer<Preference>> {
    let category = Category::parse(&body.category)?;
    let (user, standing) = (caller.user.id, caller.standing());
    let write = main.write(move |tx| {
        standing.check(tx)?;
        let wanted = (body.in_app_enabled, body.email_enabled);
        let changed = preferences::change(tx, user, category, wanted, Timestamp::now())?;
        changed.ok_or_else(|| Error::internal(format!("user {} has no preferences", user.0)))
    });
    Ok(Answer(write.await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UnsubscribeParams {
    /// Out of a mail.
    pub token: String,
}

#[derive(Serialize, ToSchema)]
pub struct Unsubscribed {
    pub success: bool,
    /// `null` for all of them, and for the weekly report.
    pub category: Option<Category>,
}

/// Ends the mails of a category, of all categories (a digest of several), or weekly reports, for whoever got the token by mail (RFC 8058). The body is not read.
#[utoipa::path(post, path = "/api/v1/notifications/unsubscribe", tag = "notifications", security(()),
    extensions(("x-access" = json!(Needs::nothing()))),
    params(UnsubscribeParams),
    responses((status = 200, body = Unsubscribed), (status = 403, description = "The token is not valid")))]
pub async fn unsubscribe(
    State(people): State<Arc<People>>,
    Query(params): Query<UnsubscribeParams>,
) -> Result<Answer<Unsubscribed>> {
    let found = unsubscribe::read(&people.secrets.jwt, &params.token);
    let (user, mails) = found.ok_or_else(refused)?;
    let write = people.main.write(move |tx| match mails {
        Mails::Of(category) => {
            let changed = preferences::change(tx, user, category, (None, Some(false)), Timestamp::now())?;
            Ok(changed.map(|_| Some(category)))
        }
        Mails::All => {
            let mut ended = None;
            for category in Category::ALL {
                let changed = preferences::change(tx, user, category, (None, Some(false)), Timestamp::now())?;
                ended = changed.map(|_| None);
            }
            Ok(ended)
        }
        Mails::Report => report::want_no_more(tx, user).map(|()| Some(None)),
    });
    let category = write.await?.ok_or_else(refused)?;
    Ok(Answer(Unsubscribed { success: true, category }))
}

fn refused() -> Error {
    Error::forbidden("This link is not valid. Choose which mails you get in your account's settings.")
}

/// Leads to the page where mails can be chosen. Changes nothing: programs that look at mails follow their links.
#[utoipa::path(get, path = "/api/v1/notifications/unsubscribe", tag = "notifications", security(()),
    extensions(("x-access" = json!(Needs::nothing()))),
    responses((status = 302, description = "To the Web app's page of preferences")))]
pub async fn show_unsubscribe(State(people): State<Arc<People>>) -> (StatusCode, [(HeaderName, String); 1]) {
    (StatusCode::FOUND, [(LOCATION, format!("{}{PREFERENCES}", people.addresses.frontend))])
}
