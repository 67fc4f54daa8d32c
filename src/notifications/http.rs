//! `/api/v1/notifications`.

pub mod announcements;
pub mod preferences;
pub mod stream;

use super::sql::inbox::{self, Archive, Filter};
use super::{Category, Notification};
use crate::access::SignedIn;
use crate::accounts::tokens::TokenScope;
use crate::error::{Error, Result};
use crate::http::OFFSET_MAX;
use crate::http::extract::{Query, bounded, yes_or_no};
use crate::ids::NotificationId;
use crate::live::Hub;
use crate::store::{Main, Page};
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// As text, so that errors have our own message.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NotificationParams {
    /// Rows to skip, 0 to 1,000,000. Default: 0.
    #[param(value_type = Option<i64>)]
    pub skip: Option<String>,
    /// Rows to return, 1 to 100. Default: 20.
    #[param(value_type = Option<i64>)]
    pub limit: Option<String>,
    #[param(value_type = Option<Category>)]
    pub category: Option<String>,
    /// Only those that are not read. Default: false.
    #[param(value_type = Option<bool>)]
    pub unread_only: Option<String>,
    /// Archived ones, too. Default: false.
    #[param(value_type = Option<bool>)]
    pub include_archived: Option<String>,
    /// Only archived ones. Default: false.
    #[param(value_type = Option<bool>)]
    pub archived_only: Option<String>,
}

impl NotificationParams {
    fn page(&self) -> Result<Page> {
        Ok(Page {
            limit: bounded("limit", self.limit.as_deref(), 20, 1, 100)?,
            offset: bounded("skip", self.skip.as_deref(), 0, 0, OFFSET_MAX)?,
        })
    }

    fn filter(&self) -> Result<Filter> {
        let too = yes_or_no("include_archived", self.include_archived.as_deref(), false)?;
        let only = yes_or_no("archived_only", self.archived_only.as_deref(), false)?;
        Ok(Filter {
            category: self.category.as_deref().map(Category::parse).transpose()?,
            unread_only: yes_or_no("unread_only", self.unread_only.as_deref(), false)?,
            archive: match (only, too) {
                (true, _) => Archive::Only,
                (false, true) => Archive::With,
                (false, false) => Archive::Without,
            },
        })
    }
}

#[derive(Serialize, ToSchema)]
pub struct Notifications {
    pub notifications: Vec<Notification>,
    pub total: i64,
    pub has_more: bool,
}

/// Lists the caller's notifications, newest first.
#[utoipa::path(get, path = "/api/v1/notifications", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Read)))),
    params(NotificationParams), responses((status = 200, body = Notifications)))]
pub async fn list_notifications(
    State(main): State<Main>,
    caller: SignedIn,
    Query(params): Query<NotificationParams>,
) -> Result<Answer<Notifications>> {
    let (page, filter) = (params.page()?, params.filter()?);
    let read = main.read(move |c| inbox::list(c, caller.user.id, filter, page));
    let (notifications, total) = read.await?;
    Ok(Answer(Notifications { has_more: page.has_more(notifications.len(), total), notifications, total }))
}

#[derive(Serialize, ToSchema)]
pub struct UnreadCount {
    pub count: i64,
}

/// Counts the caller's notifications that are neither read nor archived.
#[utoipa::path(get, path = "/api/v1/notifications/unread-count", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Read)))),
    responses((status = 200, body = UnreadCount)))]
pub async fn count_unread(State(main): State<Main>, caller: SignedIn) -> Result<Answer<UnreadCount>> {
    let count = main.read(move |c| inbox::unread(c, caller.user.id)).await?;
    Ok(Answer(UnreadCount { count }))
}

#[derive(Serialize, ToSchema)]
pub struct MarkedRead {
    pub success: bool,
    /// When it was first marked.
    pub read_at: Timestamp,
}

/// Marks one of the caller's notifications as read. A second time changes nothing.
#[utoipa::path(patch, path = "/api/v1/notifications/{notification_id}/read", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Write)))),
    params(("notification_id" = i64, Path)),
    responses((status = 200, body = MarkedRead), (status = 404, description = "The caller has no such notification")))]
pub async fn mark_read(
    State(main): State<Main>,
    State(live): State<Arc<Hub>>,
    caller: SignedIn,
    Path(id): Path<String>,
) -> Result<Answer<MarkedRead>> {
    let (id, user, standing) = (notification_id(&id)?, caller.user.id, caller.standing());
    let write = main.write(move |tx| {
        standing.check(tx)?;
        inbox::read(tx, user, id, Timestamp::now())
    });
    let read_at = write.await?.ok_or_else(unknown)?;
    live.tell([user]);
    Ok(Answer(MarkedRead { success: true, read_at }))
}

#[derive(Serialize, ToSchema)]
pub struct AllMarkedRead {
    pub success: bool,
    /// How many were not read before.
    pub count: usize,
}

/// Marks all of the caller's notifications as read, archived ones as well.
#[utoipa::path(post, path = "/api/v1/notifications/mark-all-read", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Write)))),
    responses((status = 200, body = AllMarkedRead)))]
pub async fn mark_all_read(
    State(main): State<Main>,
    State(live): State<Arc<Hub>>,
    caller: SignedIn,
) -> Result<Answer<AllMarkedRead>> {
    let (user, standing) = (caller.user.id, caller.standing());
    let write = main.write(move |tx| {
        standing.check(tx)?;
        inbox::read_all(tx, user, Timestamp::now())
    });
    let count = write.await?;
    live.tell([user]);
    Ok(Answer(AllMarkedRead { success: true, count }))
}

#[derive(Serialize, ToSchema)]
pub struct Archived {
    pub success: bool,
    /// When it was first archived.
    pub archived_at: Timestamp,
}

/// Archives one of the caller's notifications: lists leave it out. A second time changes nothing.
#[utoipa::path(patch, path = "/api/v1/notifications/{notification_id}/archive", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Write)))),
    params(("notification_id" = i64, Path)),
    responses((status = 200, body = Archived), (status = 404, description = "The caller has no such notification")))]
pub async fn archive_notification(
    State(main): State<Main>,
    State(live): State<Arc<Hub>>,
    caller: SignedIn,
    Path(id): Path<String>,
) -> Result<Answer<Archived>> {
    let (id, user, standing) = (notification_id(&id)?, caller.user.id, caller.standing());
    let write = main.write(move |tx| {
        standing.check(tx)?;
        inbox::archive(tx, user, id, Timestamp::now())
    });
    let archived_at = write.await?.ok_or_else(unknown)?;
    live.tell([user]);
    Ok(Answer(Archived { success: true, archived_at }))
}

fn unknown() -> Error {
    Error::not_found("There is no such notification")
}

fn notification_id(text: &str) -> Result<NotificationId> {
    text.parse().map(NotificationId).map_err(|_| unknown())
}
