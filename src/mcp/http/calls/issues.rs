//! `list_issues`, `get_issue` and `similar_issues`.

use super::{Calls, after, source};
use crate::access::Read;
use crate::context::service::{KnownIssue, replay};
use crate::context::{files, untrusted};
use crate::error::{Error, Result};
use crate::events::Event;
use crate::http::extract::Query;
use crate::ids::IssueId;
use crate::issues::{self, Issue, Tag};
use crate::mcp::answer::{ANSWER_MAX, Answer, Row, ToolResult, list};
use crate::mcp::results::{ISSUES, SIMILAR_ISSUES, WHOLE_ISSUE};
use crate::mcp::{rows, shape, sources};
use crate::releases::suspect::SuspectRelease;
use crate::replays::steps::Step;
use axum::extract::State;
use serde_json::{Value, json};

/// The most similar issues.
const SIMILAR_MAX: usize = 100;
/// What is shown of the newest event: frames of each exception, frames with source, and breadcrumbs. `get_event`
/// shows all.
const FRAMES_MAX: usize = 15;
const SOURCES_MAX: usize = 5;
const CRUMBS_MAX: usize = 15;
/// Characters of the last steps in its replay, with what stands before each.
const STEPS_MAX: usize = 1_450;
const STEP_HEAD: usize = 50;
/// The newest comments that are shown.
const COMMENTS_MAX: usize = 10;
const TAGS_MAX: usize = 15;

const FILTERS: [&str; 10] = [
    "query",
    "status",
    "level",
    "environment",
    "period",
    "release",
    "assignee",
    "start_time",
    "end_time",
    "sort",
];

/// An issue of a list, with its events within the list's limits and in total.
fn source_of(issue: &Issue) -> Value {
    let mut source = source(issue);
    if let Some(within) = &issue.within {
        source["events_within"] = within.event_count.into();
    }
    source
}

impl Calls<'_> {
    pub(super) async fn list_issues(&self) -> Result<ToolResult> {
        let access = self.access::<Read>().await?;
        let project = access.project.id;
        let (page, offset) = self.page(25)?;
        let params = self.given.query(&FILTERS, &page)?;
        let found =
            issues::http::list_issues(State(self.state.issues.clone()), access, Query(params)).await?.0;
        let pages = format!("{}/projects/{project}/issues/<issue_id>", self.state.context.addresses.frontend);
        let head = format!("{} issues match. The page of one is {pages}", found.total);
        let all: Vec<Row> = found.issues.iter().map(|one| (rows::issue(one), source_of(one))).collect();
        let count = all.len();
        let (told, shown) = list((&ISSUES, "issues"), &head, json!({ "total": found.total }), all);
        Ok(told.with_cursor(after(offset, shown, count, found.has_more)))
    }

    pub(super) async fn similar_issues(&self) -> Result<ToolResult> {
        let access = self.access::<Read>().await?;
        let (project, offset) = (access.project.id, self.given.cursor()?);
        let id = IssueId(self.given.id("issue_id")?);
        let read = self.state.issues.main.read(move |c| {
            issues::sql::exists(c, project, id)?.then_some(()).ok_or_else(no_issue)?;
            issues::sql::similar(c, project, id, SIMILAR_MAX)
        });
        let found = read.await?;
        let left = found.iter().skip(offset);
        let all: Vec<Row> = left.map(|one| (rows::similar(one), source(one))).collect();
        let head = format!("{} issues are similar (at most {SIMILAR_MAX} are looked for).", found.len());
        let count = all.len();
        let (told, shown) = list((&SIMILAR_ISSUES, "issues"), &head, json!({ "total": found.len() }), all);
        Ok(told.with_cursor(after(offset, shown, count, false)))
    }

    pub(super) async fn get_issue(&self) -> Result<ToolResult> {
        let project = self.access::<Read>().await?.project.id;
        let id = IssueId(self.given.id("issue_id")?);
        let known = self.state.context.known(project, id).await?.ok_or_else(no_issue)?;
        let read = self.state.issues.main.read(move |c| {
            Ok((issues::sql::tags(c, id)?, crate::releases::sql::suspect_of(c, project, id)?))
        });
        let (tags, suspect) = read.await?;
        let steps = match &known.event {
            Some(event) => self.state.context.steps_of(project, event).await,
            None => Vec::new(),
        };
        let page = self.state.context.page(project, id);
        let text = about(&page, &known, &steps, &tags, suspect.as_ref()).text();
        Ok(ToolResult { text, value: whole(&page, &known, &steps, &tags, suspect.as_ref()) })
    }
}

/// As much about an issue as fits: each part has its own limit, and together they fit into an answer.
fn about(
    page: &str,
    known: &KnownIssue,
    steps: &[Step],
    tags: &[Tag],
    suspect: Option<&SuspectRelease>,
) -> Answer {
    let (issue, event) = (&known.issue, known.event.as_ref());
    let mut answer = Answer::default();
    answer.own(&facts(known, page));
    answer.excerpt("What it is called", &untrusted::issue(issue, event), 1_800);
    let [first, last, before] = &known.releases;
    answer.excerpt("Releases", &untrusted::releases(first.as_ref(), last.as_ref(), before.as_ref()), 800);
    answer.excerpt("Blamed on a release", &suspect.map(blamed).unwrap_or_default(), 400);
    if let Some(event) = event {
        answer.excerpt(
            "Stack of the newest event, root cause first",
            &untrusted::stack_from_cause(event, FRAMES_MAX),
            4_100,
        );
        answer.excerpt("Source, root cause first", &untrusted::source_from_cause(event, SOURCES_MAX), 3_500);
        let crumbs = &event.breadcrumbs;
        let last = &crumbs[crumbs.len().saturating_sub(CRUMBS_MAX)..];
        answer.excerpt("What happened just before", &untrusted::breadcrumbs(last), 1_900);
        answer.excerpt("What the person did and saw (replay)", &replay::text(latest(steps)), 1_500);
        trace(&mut answer, event.trace_id.as_deref());
    } else {
        answer.own("\nIts events were removed by retention; its counts remain.");
    }
    answer.excerpt("Tags", &rows::tags(&tags[..tags.len().min(TAGS_MAX)]), 1_200);
    let comments = &known.comments[..known.comments.len().min(COMMENTS_MAX)];
    answer.excerpt("Comments of people", &files::comments(comments), 1_700);
    answer.excerpt("Comments of programs", &untrusted::comments(comments), 1_000);
    answer.excerpt("Similar issues", &untrusted::similar(&known.similar), 1_300);
    answer
}

/// The same as an object.
fn whole(
    page: &str,
    known: &KnownIssue,
    steps: &[Step],
    tags: &[Tag],
    suspect: Option<&SuspectRelease>,
) -> Value {
    let mut all = source(&known.issue);
    let event = known.event.as_ref();
    let (exceptions, frames) = event.map(stack).unwrap_or_default();
    let crumbs = event.map_or(&[][..], |event| &event.breadcrumbs);
    let (by_programs, by_people): (Vec<_>, Vec<_>) = known.comments.iter().partition(|one| one.by_token);
    let releases = ["first", "last", "before_first"].into_iter().zip(&known.releases);
    let releases = releases.filter_map(|(seen, release)| Some(sources::release(seen, release.as_ref()?)));
    let lists = [
        ("releases", releases.collect()),
        ("exceptions", exceptions),
        ("frames", frames),
        // The last ones, which came right before the event.
        ("breadcrumbs", crumbs[crumbs.len().saturating_sub(CRUMBS_MAX)..].iter().map(source).collect()),
        ("replay", latest(steps).iter().map(source).collect()),
        ("tags", sources::tags(tags)),
        ("comments", by_people.into_iter().map(source).collect()),
        ("program_comments", by_programs.into_iter().map(source).collect()),
        ("similar_issues", known.similar.iter().map(source).collect::<Vec<_>>()),
    ];
    let counts = lists.each_ref().map(|(name, rows)| match *name {
        "breadcrumbs" => (*name, crumbs.len()),
        "replay" => (*name, steps.len()),
        name => (name, rows.len()),
    });
    all["page"] = page.into();
    all["issue_id"] = all["id"].clone();
    all["comment_count"] = known.comments.len().into();
    all["suspect_release"] = source(&suspect);
    all["newest_event"] = source(&event);
    all["left_out"] = json!([]);
    lists.into_iter().for_each(|(name, rows)| all[name] = rows.into());
    let mut value = WHOLE_ISSUE.of(&all);
    shape::fit(&mut value, ANSWER_MAX - 300);
    let is_cut =
        |(name, count): &(&str, usize)| value[*name].as_array().is_some_and(|rows| rows.len() < *count);
    value["left_out"] = counts.into_iter().filter(is_cut).map(|(name, _)| name).collect();
    value
}

/// The last steps that fit: the next before the event.
fn latest(steps: &[Step]) -> &[Step] {
    let mut left = STEPS_MAX;
    let fits = |step: &&Step| {
        let room = left.checked_sub(step.text.chars().count() + STEP_HEAD);
        left = room.unwrap_or(0);
        room.is_some()
    };
    let count = steps.iter().rev().take_while(fits).count();
    &steps[steps.len() - count..]
}

/// The exceptions of an event and their frames, root cause first, with the source of the first ones.
fn stack(event: &Event) -> (Vec<Value>, Vec<Value>) {
    let mut chain: Vec<_> = untrusted::chain(event).enumerate().collect();
    chain.reverse();
    let exceptions = chain.iter().map(|(number, one)| sources::exception(*number, one)).collect();
    let mut sources_left = SOURCES_MAX;
    let frames = chain.iter().flat_map(|(number, one)| one.frames.iter().map(move |frame| (*number, frame)));
    let frames = frames.map(|(number, frame)| {
        let with_source = frame.in_app && sources_left > 0;
        let source = sources::frame(number, frame, with_source);
        let has_source = source["code"].is_array() || source["original"]["code"].is_array();
        sources_left -= usize::from(has_source);
        source
    });
    (exceptions, frames.collect())
}

/// The facts that Mayday knows itself.
fn facts(known: &KnownIssue, address: &str) -> String {
    let issue = &known.issue;
    let assignee = issue.assignee.as_ref().map_or("nobody".to_owned(), |user| format!("user {}", user.id));
    let event = known
        .event
        .as_ref()
        .map_or(String::new(), |_| "\nget_event shows all of its newest event.".to_owned());
    let mut text = files::facts(issue, &format!("project {}", issue.project_id), address);
    text.push_str(&format!("- Id: issue_id {} of project_id {}\n", issue.id, issue.project_id));
    text.push_str(&format!("- Assigned to: {assignee}\n"));
    text.push_str(&format!("- Comments: {}{event}\n", known.comments.len()));
    text
}

fn blamed(suspect: &SuspectRelease) -> String {
    let place =
        suspect.environment.as_deref().map_or("first seen".to_owned(), |to| format!("deployed to {to}"));
    let (rise, at) = (&suspect.rise, suspect.rose_at);
    format!("{}: {place} at {}, before the issue rose at {at} ({rise:?})", suspect.version, suspect.out_at)
}

fn trace(answer: &mut Answer, trace: Option<&str>) {
    if let Some(trace) = trace.filter(|trace| !trace.is_empty()) {
        answer.excerpt("Trace id, for search_logs", trace, 300);
    }
}

fn no_issue() -> Error {
    Error::not_found("This project has no such issue")
}
