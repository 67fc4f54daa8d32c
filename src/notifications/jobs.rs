//! Sends digests of mails held by the hourly limit, and weekly reports.

use super::service::post::Post;
use super::sql::{hourly, report};
use crate::error::Result;
use crate::jobs::Job;
use crate::store::Main;
use crate::time::Timestamp;
use std::time::Duration;

/// How often to look for hours that are over.
const LOOK: Duration = Duration::from_mins(1);

/// The jobs of notifications.
pub fn jobs(main: &Main, post: &Post) -> Vec<Job> {
    let send = {
        let (main, post) = (main.clone(), post.clone());
        move || {
            let (main, post) = (main.clone(), post.clone());
            async move { digests(&main, &post).await }
        }
    };
    let report = {
        let (main, post) = (main.clone(), post.clone());
        move || {
            let (main, post) = (main.clone(), post.clone());
            async move { reports(&main, &post).await }
        }
    };
    vec![
        Job::every("mail_digests", LOOK, send).at_start(),
        Job::every("weekly_reports", LOOK, report).at_start(),
    ]
}

/// One transaction for each person, so that the report and the date of the next one are stored together.
async fn reports(main: &Main, post: &Post) -> Result<()> {
    let mut is_any = true;
    while is_any {
        let post = post.clone();
        let write = main.write(move |tx| {
            let now = Timestamp::now();
            let user = report::due(tx, now)?;
            user.map(|user| post.report(tx, user, now)).transpose().map(|done| done.is_some())
        });
        is_any = write.await?;
    }
    post.wake();
    Ok(())
}

/// One transaction for each person, so that the digest is written and the held mails removed together.
async fn digests(main: &Main, post: &Post) -> Result<()> {
    let mut is_any = true;
    while is_any {
        let post = post.clone();
        let write = main.write(move |tx| {
            let now = Timestamp::now();
            let user = hourly::due(tx, now)?;
            user.map(|user| post.digest(tx, user, now)).transpose().map(|done| done.is_some())
        });
        is_any = write.await?;
    }
    post.wake();
    Ok(())
}
