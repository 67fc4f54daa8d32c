//! Turns an accepted event into everything that is written for it. Pure, except that it looks up releases.

use super::chain::Chain;
use super::resolve::Resolver;
use super::stacks::Stack;
use crate::error::{Error, Result};
use crate::event::accepted::{Accepted, Exception, Kind, Level};
use crate::event::frame::Frame;
use crate::event::replay::{Segment, window_key};
use crate::event::{DebugId, STORED_MAX};
use crate::event::{facets, key, trace};
use crate::grouping::{self, GroupFrame};
use crate::ids::ProjectId;
use crate::intake::store::Pending;
use crate::issues::sql::counts::Naming;
use crate::releases::Candidates;
use crate::releases::late::AWAITED_MAX;
use crate::sabotage;
use crate::store::{Connection, Packer, unpack};
use crate::text;
use crate::wire::json::Json;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The longest searchable text of an issue in characters, and the most file names in it.
const SEARCH_MAX: usize = 2_000;
const SEARCH_FILES: usize = 10;
/// Values that cost about as much as the rest of an event: each may be new, and is then a row or two.
const VALUES_OF_ONE: usize = 8;

/// Everything that is written for an event.
pub struct PreparedEvent {
    pub timestamp: i64,
    pub fingerprint: [u8; 16],
    pub fingerprint_version: u16,
    /// The event's own fingerprint, if it has one.
    client: Vec<String>,
    is_exception: bool,
    pub kind: String,
    pub message: String,
    url: Option<String>,
    names: OnceLock<Names>,
    pub level: Level,
    pub platform: Option<String>,
    pub release: Option<String>,
    /// As it is stored.
    pub trace_id: Option<Vec<u8>>,
    /// Links it to the replays of its session and window.
    pub window_key: Option<[u8; 16]>,
    /// Links it to the replay whose id it has.
    pub replay_key: Option<Vec<u8>>,
    /// Facet and value.
    pub facets: Vec<(Cow<'static, str>, String)>,
    pub aliases: Vec<Alias>,
    /// The frames of the exception and each of its causes.
    pub stack: Arc<Stack>,
    /// If a frame should resolve and no source map resolves it: the number of maps that its release had.
    pub open_at: Option<i64>,
    /// Debug ids of unresolved frames for which the project has no source map.
    pub awaited: Vec<DebugId>,
    /// The zstd-compressed JSON of the event without its frames; `None` if the accepted payload is stored
    /// unchanged.
    pub payload: Option<Vec<u8>>,
}

/// Another name of a user or account.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alias {
    /// `user` or `account`.
    pub facet: &'static str,
    /// Its value of that facet.
    pub value: String,
    /// `email`, `username` or `name`.
    pub kind: &'static str,
    pub alias: String,
}

/// The names that an issue gets from one of its events.
pub struct Names {
    pub title: String,
    pub culprit: String,
    pub search_text: String,
}

impl PreparedEvent {
    /// Computed on demand, because only the newest event of a batch names its issue.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let grouping = for_grouping(&self.stack);
            let kind = self.is_exception.then_some(self.kind.as_str());
            let title = grouping::title(kind, Some(&self.message));
            let culprit = grouping::culprit(&grouping).or_else(|| self.url.clone()).unwrap_or_default();
            let search_text = search_text(&title, &culprit, &self.message, &grouping);
            Names { title, culprit, search_text }
        })
    }

    /// The names, and what else describes its issue.
    pub fn naming(&self) -> Naming<'_> {
        let names = self.names();
        Naming {
            title: &names.title,
            culprit: &names.culprit,
            kind: &self.kind,
            message: &self.message,
            level: self.level.as_str(),
            platform: self.platform.as_deref(),
            search_text: &names.search_text,
        }
    }

    /// The fingerprint by the former rule; computed only if the project has any of those.
    pub fn former_fingerprint(&self) -> [u8; 16] {
        let grouping = for_grouping(&self.stack);
        let client: Vec<&str> = self.client.iter().map(String::as_str).collect();
        let exception_type = self.is_exception.then_some(self.kind.as_str());
        let message = Some(self.message.as_str());
        grouping::former::fingerprint(&grouping::Input {
            client: &client,
            exception_type,
            message,
            frames: &grouping,
            causes: &[],
        })
        .hash
    }

    /// What applying it costs, in events with few values.
    pub(super) fn work(&self) -> usize {
        1 + self.facets.len() / VALUES_OF_ONE
    }

    /// Bytes it occupies in memory.
    pub fn size(&self) -> usize {
        self.payload.as_ref().map_or(0, Vec::len) + self.stack.size
    }

    pub fn new(c: &Connection, packer: &Packer, resolver: &mut Resolver, pending: &Pending) -> Result<Self> {
        if sabotage::on("set_aside_all") {
            return Err(Error::internal("sabotaged: all events are set aside"));
        }
        let json = unpack(&pending.payload, STORED_MAX)?;
        // It was serialized as text, so it is valid UTF-8.
        let json = std::str::from_utf8(&json).map_err(Error::internal)?;
        let mut event: Accepted<'_> = serde_json::from_str(json).map_err(Error::internal)?;
        let ids = event.debug_images.iter().map(|image| image.debug_id);
        let candidates = resolver.candidates(c, pending.project, event.release.as_deref(), ids)?;
        let Chain { stack, platform, changed } = Chain::take(resolver, &candidates, &mut event)?;
        let payload = if changed { Some(payload(packer, &event)?) } else { None };
        let uploads = candidates.release.as_ref().map_or(0, |release| release.uploads);
        let open_at = stack.is_open().then_some(uploads);
        let awaited = awaited(&candidates, &stack);
        Ok(Self { open_at, awaited, ..Self::of(&event, platform, stack, payload) })
    }

    /// The event resolved with the current source maps; `None` if they resolve no further frames.
    pub fn again(
        c: &Connection,
        resolver: &mut Resolver,
        project: ProjectId,
        event: Accepted<'_>,
        frames: &[Vec<Frame>],
    ) -> Result<Option<Self>> {
        let ids = event.debug_images.iter().map(|image| image.debug_id);
        let candidates = resolver.candidates(c, project, event.release.as_deref(), ids)?;
        let stack = resolver.stack(&candidates, frames.to_vec())?;
        let resolved =
            |chain: &[Vec<Frame>]| chain.iter().flatten().filter(|frame| frame.resolved.is_some()).count();
        let is_better = resolved(&stack.chain) > resolved(frames);
        Ok(is_better.then(|| Self::of(&event, None, stack, None)))
    }

    fn of(event: &Accepted<'_>, platform: Option<&str>, stack: Arc<Stack>, payload: Option<Vec<u8>>) -> Self {
        let grouping = for_grouping(&stack);
        let (kind, message) = kind_and_message(event);
        let client: Vec<&str> = event.fingerprint.iter().map(AsRef::as_ref).collect();
        let input = grouping::Input {
            client: &client,
            exception_type: kind,
            message: Some(message),
            frames: &grouping,
            causes: &causes(event, &stack),
        };
        let fingerprint = grouping::fingerprint(&input);
        Self {
            timestamp: event.timestamp,
            fingerprint: fingerprint.hash,
            fingerprint_version: fingerprint.version,
            client: event.fingerprint.iter().map(ToString::to_string).collect(),
            is_exception: kind.is_some(),
            kind: kind.unwrap_or_default().to_owned(),
            message: message.to_owned(),
            url: event.url.as_deref().map(str::to_owned),
            names: OnceLock::new(),
            level: event.level,
            platform: event.platform.as_deref().or(platform).map(str::to_owned),
            release: event.release.as_deref().map(str::to_owned),
            trace_id: event.trace_id.as_deref().map(|id| key::encode(&trace::comparable(id))),
            window_key: (event.session_id.as_deref().zip(event.window_id.as_deref()))
                .map(|(session, window)| window_key(session, window)),
            replay_key: event.replay_id.as_deref().filter(|id| !id.is_empty()).map(key::encode),
            facets: facets_of(event),
            aliases: aliases(event),
            stack: stack.clone(),
            open_at: None,
            awaited: Vec::new(),
            payload,
        }
    }
}

/// The causes of the event's exception, with their frames.
fn causes<'a>(event: &'a Accepted<'_>, stack: &'a Stack) -> Vec<grouping::Member<'a>> {
    let first = event.exception.as_ref().and_then(|exception| exception.cause.as_deref());
    let causes = std::iter::successors(first, |exception| exception.cause.as_deref());
    let frames =
        stack.chain.iter().skip(1).map(|frames| frames.iter().map(grouping::GroupFrame::from).collect());
    let member = |(exception, frames): (&'a Exception<'_>, _)| grouping::Member {
        exception_type: exception.kind.as_deref(),
        message: exception.message.as_deref(),
        frames,
    };
    causes.zip(frames).map(member).collect()
}

fn awaited(candidates: &Candidates, stack: &Stack) -> Vec<DebugId> {
    // Usually, events have no debug ids, or each id has its source map.
    if candidates.debug.values().all(Option::is_some) {
        return Vec::new();
    }
    let open = stack.chain.iter().flatten().filter(|frame| frame.mappable && frame.resolved.is_none());
    let mut ids: Vec<DebugId> = open.filter_map(|frame| frame.debug_id).collect();
    ids.retain(|id| matches!(candidates.debug.get(id), Some(None)));
    ids.sort_unstable();
    ids.dedup();
    ids.truncate(AWAITED_MAX as usize);
    ids
}

/// Parses the segment of a replay.
///
/// # Errors
/// If the record is not a segment.
pub fn segment(pending: &Pending) -> Result<Segment> {
    let json = unpack(&pending.payload, STORED_MAX)?;
    serde_json::from_slice(&json).map_err(Error::internal)
}

fn for_grouping(stack: &Stack) -> Vec<GroupFrame<'_>> {
    let frames = stack.chain.first().map(Vec::as_slice).unwrap_or_default();
    frames.iter().map(GroupFrame::from).collect()
}

fn kind_and_message<'e>(event: &'e Accepted<'_>) -> (Option<&'e str>, &'e str) {
    match (event.kind, &event.exception) {
        (Kind::Exception, Some(exception)) => {
            let message = exception.message.as_deref().or(event.message.as_deref()).unwrap_or_default();
            (Some(exception.kind.as_deref().unwrap_or("Error")), message)
        }
        _ => (None, event.message.as_deref().unwrap_or_default()),
    }
}

/// Joins the parts, each only once: most titles contain the message.
fn search_text(title: &str, culprit: &str, message: &str, frames: &[GroupFrame<'_>]) -> String {
    let mut files: Vec<&str> = frames.iter().filter_map(|frame| frame.file).collect();
    files.dedup();
    files.truncate(SEARCH_FILES);
    let message = text::clip(message.into(), SEARCH_MAX / 2).0;
    let mut text = title.to_lowercase();
    for part in [culprit, &message].into_iter().chain(files) {
        let part = part.to_lowercase();
        if !text.contains(&part) {
            text.push('\n');
            text.push_str(&part);
        }
    }
    text::clip(text.into(), SEARCH_MAX).0.into_owned()
}

/// The values that issues are filtered by.
fn facets_of(event: &Accepted<'_>) -> Vec<(Cow<'static, str>, String)> {
    let tags = match &event.tags {
        Json::Object(tags) => tags.as_slice(),
        _ => &[],
    };
    let mut facets = Vec::with_capacity(8 + tags.len());
    facets.push((Cow::Borrowed("environment"), event.environment.clone().into_owned()));
    let mut add = |facet: &'static str, value: Option<&str>| {
        facets.extend(value.filter(|value| !value.is_empty()).map(|value| (facet.into(), value.to_owned())));
    };
    add("release", event.release.as_deref());
    add("user", facets::user(event));
    add("account", facets::account(event));
    for (key, value) in tags {
        if let Json::String(value) = value
            && !value.is_empty()
        {
            facets.push((format!("tag.{key}").into(), value.clone().into_owned()));
        }
    }
    facets.extend(facets::contexts(event).map(|(name, value)| (name.into(), value.to_owned())));
    facets
}

/// Other names by which people search for a user or account.
fn aliases(event: &Accepted<'_>) -> Vec<Alias> {
    let mut aliases = Vec::new();
    let mut add = |(facet, value): (&'static str, Option<&str>), kind, alias: Option<&str>| {
        let (Some(value), Some(alias)) = (value, alias) else { return };
        if !value.is_empty() && !alias.is_empty() && alias != value {
            aliases.push(Alias { facet, value: value.to_owned(), kind, alias: alias.to_owned() });
        }
    };
    if let Some(user) = &event.user {
        let value = ("user", facets::user(event));
        add(value, "email", user.email.as_deref());
        add(value, "username", user.username.as_deref());
        add(value, "name", user.name.as_deref());
    }
    if let Some(account) = &event.account {
        add(("account", facets::account(event)), "name", account.name.as_deref());
    }
    aliases
}

fn payload(packer: &Packer, event: &Accepted<'_>) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(event).map_err(Error::internal)?;
    packer.pack(&json)
}
