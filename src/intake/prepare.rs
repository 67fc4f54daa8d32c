//! Turns a body into what is stored: credentials, [`admit`], then decoding, scrubbing and packing. A sender
//! without a valid key, or over its rate, costs as little as possible.

use super::admit::{Category, Cost, admit};
use super::decode;
use super::store::Row;
use crate::error::{Error, Result};
use crate::http::body::{Resource, Share};
use crate::intake::directory::Directory;
use crate::intake::directory::KeyEntry;
use crate::store::Packer;
use crate::time::Timestamp;
use crate::wire::json::Json;
use crate::wire::json::shallow::Items;

/// The size, in bytes, up to which an event is prepared where it arrived: about a millisecond of work.
pub(crate) const SMALL_MAX: usize = 64 << 10;

/// Does the work on a large body on a blocking thread, once one of a few places is free.
///
/// # Errors
/// 503 if no place becomes free in time; the errors of the work.
pub(crate) async fn in_place<T: Send + 'static>(
    share: &Share,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let place = share.take(Resource::Preparing).await?;
    let run = move || {
        let done = work();
        drop(place);
        done
    };
    tokio::task::spawn_blocking(run).await.map_err(Error::internal)?
}

/// # Errors
/// 400, 401, 403 and 422 for what is wrong with the body; 429 if its project is over its rate.
pub(crate) fn one(directory: &Directory, packer: &Packer, body: &[u8]) -> Result<Row> {
    // While some project is over its rate, every body is skimmed for its key first, which saves building
    // trees for that project.
    let early = body.len() > SMALL_MAX || directory.is_pressed();
    let admit =
        |key: Option<&str>| admit(directory, key, Category::Errors, Ok(Cost { items: 1, bytes: body.len() }));
    let admitted = if early { Some(admit(decode::find_key(body)?.as_deref())?) } else { None };
    let mut tree = decode::parse(body)?;
    let given = decode::take_key(&mut tree);
    let key = admitted.map_or_else(|| admit(given.as_deref()), Ok)?;
    checked(tree, &key, packer, Timestamp::now())
}

/// The usable events of a batch, and how many it had in total.
///
/// # Errors
/// 400, 401, 403 and 422 for what is wrong with the whole batch; 429 if its project is over its rate.
pub(crate) fn batch(directory: &Directory, packer: &Packer, body: &[u8]) -> Result<(Vec<Row>, usize)> {
    let Some(Items { items, more }) = decode::batch(body)? else {
        let got = decode::parse(body)?.describe();
        return Err(Error::invalid(format!("The body: expected an array of events, got {got}")));
    };
    let first = items.first().map(|item| decode::find_key(item.get().as_bytes())).transpose()?.flatten();
    let too_many = || {
        Error::invalid(format!(
            "The body: expected at most {} events, got {} or more; nothing was stored",
            decode::BATCH_EVENTS_MAX,
            decode::BATCH_EVENTS_MAX + 1
        ))
    };
    let cost = if more { Err(too_many()) } else { Ok(Cost { items: items.len(), bytes: body.len() }) };
    let key = admit(directory, first.as_deref(), Category::Errors, cost)?;
    let now = Timestamp::now();
    let event = |text: &str| {
        let mut tree = (text.len() <= decode::EVENT_MAX).then(|| decode::parse(text.as_bytes()).ok())??;
        let same_key = decode::take_key(&mut tree) == first;
        same_key.then(|| checked(tree, &key, packer, now).ok())?
    };
    Ok((items.iter().filter_map(|item| event(item.get())).collect(), items.len()))
}

fn checked(tree: Json<'_>, key: &KeyEntry, packer: &Packer, now: Timestamp) -> Result<Row> {
    let mut event = decode::event(tree, key.environment.as_deref(), now)?;
    key.scrubber.scrub(&mut event);
    Row::new(packer, key.project, &event)
}

#[cfg(test)]
mod tests;
