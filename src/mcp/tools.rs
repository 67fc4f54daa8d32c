//! The tools: their names, descriptions and arguments.

use super::arguments::Argument;
use super::arguments::Kind::{Choice, Count, Id, Text};
use super::results;
use super::shape::Record;

/// The effect of a call on stored data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Replaces a value; repeating the call changes nothing.
    Sets,
    /// Adds something with every call.
    Adds,
}

/// A tool.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub effect: Effect,
    pub arguments: &'static [Argument],
    /// The type of its result.
    pub result: &'static Record,
}

const PROJECT: Argument = Argument::required("project_id", Id, "the project's id, from list_projects");
const ISSUE: Argument = Argument::required("issue_id", Id, "the issue's numeric id, from list_issues");
const CURSOR: Argument = Argument::optional(
    "cursor",
    Text(1_000),
    "The cursor that the last answer named, for what comes after it.",
);
const START: Argument =
    Argument::optional("start_time", Text(64), "ISO 8601, such as 2026-11-21T10:00:00Z: at or after.");
const END: Argument = Argument::optional("end_time", Text(64), "ISO 8601: at or before.");

/// Every tool, in the order in which they are listed.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "list_projects",
        title: "List projects",
        about: "Lists the projects that the token can see, with their ids. Other tools take such an id.",
        effect: Effect::Reads,
        arguments: &[CURSOR],
        result: &results::PROJECTS,
    },
    Tool {
        name: "list_issues",
        title: "List and search issues",
        about: "Lists a project's issues (errors grouped by cause), the one last seen first. `query` takes free words and \
            filters, such as `is:unresolved level:error release:1.2.0 environment:production -has:assignee TypeError`. With \
            `environment` or `period` each issue says, too, how many events it had within them and when the last was, and `sort` goes by these events, \
            except by users.",
        effect: Effect::Reads,
        arguments: &[
            PROJECT,
            Argument::optional(
                "query",
                Text(2_000),
                "Words to find, and `key:value` filters: is, has, status, level, environment, release, first_release, \
                 first_seen:>7d (within the last 7 days), last_seen:<2026-11-20 (before that day), assignee, user, account, \
                 priority, type, tag.NAME, contexts.os.name (and contexts.os.version, the same of browser and runtime, \
                 contexts.device.family and .model, contexts.app.app_name and .app_version); `-` before one means not.",
            ),
            Argument::optional(
                "status",
                Text(100),
                "unresolved, resolved, ignored, comma-separated, or all (default).",
            ),
            Argument::optional("level", Text(100), "debug, info, warning, error, fatal, comma-separated."),
            Argument::optional("environment", Text(200), "Only issues with events in this environment."),
            Argument::optional(
                "period",
                Text(16),
                "Only issues with events in the last hours, days or weeks, such as 24h, 7d or 2w, at most 30d.",
            ),
            Argument::optional("release", Text(200), "Only issues of this release."),
            Argument::optional("assignee", Text(320), "A user id, an e-mail, `me` or `none`."),
            START,
            END,
            Argument::optional(
                "sort",
                Choice(&["last_seen", "first_seen", "events", "users"]),
                "Always descending; default last_seen.",
            ),
            Argument::optional("limit", Count(100), "The most issues of an answer; default 25."),
            CURSOR,
        ],
        result: &results::ISSUES,
    },
    Tool {
        name: "get_issue",
        title: "Get an issue with its context",
        about: "Tells what is known of an issue in one call: status, counts, releases, the release it is blamed on, the \
            newest event's stack at original source lines (root cause first), the source around it, what happened just \
            before, what the person did and saw in the replay, tags, comments and similar issues.",
        effect: Effect::Reads,
        arguments: &[PROJECT, ISSUE],
        result: &results::WHOLE_ISSUE,
    },
    Tool {
        name: "list_events",
        title: "List an issue's events",
        about: "Lists the single occurrences of an issue, newest first.",
        effect: Effect::Reads,
        arguments: &[
            PROJECT,
            ISSUE,
            Argument::optional(
                "facet",
                Text(500),
                "Only events with this value: `environment:VALUE`, `release:VALUE`, `user:VALUE`, `account:VALUE`, \
                 `tag.NAME:VALUE`, or with one of the contexts that `query` of list_issues takes: \
                 `contexts.os.name:VALUE`.",
            ),
            Argument::optional("limit", Count(100), "The most events of an answer; default 25."),
            CURSOR,
        ],
        result: &results::EVENTS,
    },
    Tool {
        name: "get_event",
        title: "Get an event",
        about: "Shows all of one event: its stack with source lines, breadcrumbs, tags, contexts, what else was sent, \
            and what the person did and saw in its replay.",
        effect: Effect::Reads,
        arguments: &[
            PROJECT,
            Argument::required("event_id", Text(200), "the event's id, from list_events"),
            CURSOR,
        ],
        result: &results::WHOLE_EVENT,
    },
    Tool {
        name: "search_logs",
        title: "Search logs",
        about: "Searches a project's log entries, newest first: by words and fields, by the trace of a request, or both.",
        effect: Effect::Reads,
        arguments: &[
            PROJECT,
            Argument::optional(
                "query",
                Text(2_000),
                "Words (all of them), \"a phrase\", prefix*, -not, a OR b, and fields: level:error, logger:db, user:42, \
                 attributes.order_id:1234.",
            ),
            Argument::optional("trace_id", Text(200), "Only entries of this trace; events name theirs."),
            Argument::optional(
                "levels",
                Text(100),
                "trace, debug, info, warn, error, fatal, comma-separated.",
            ),
            START,
            END,
            Argument::optional("limit", Count(200), "The most entries of an answer; default 50."),
            CURSOR,
        ],
        result: &results::LOGS,
    },
    Tool {
        name: "list_releases",
        title: "List releases",
        about: "Lists a project's releases, newest first, also those that only events name (without id), with their events, new issues, regressions and source maps.",
        effect: Effect::Reads,
        arguments: &[
            PROJECT,
            Argument::optional("query", Text(128), "A part of the version."),
            Argument::optional("limit", Count(100), "The most releases of an answer; default 25."),
            CURSOR,
        ],
        result: &results::RELEASES,
    },
    Tool {
        name: "explain_frames",
        title: "Explain why frames did not resolve",
        about: "Says for each frame that has no original source line which rule failed, what was looked for, which source \
            maps come closest, and which command mends it: of one event (`event_id`), or of the last events of a release \
            (`release`).",
        effect: Effect::Reads,
        arguments: &[
            PROJECT,
            Argument::optional("event_id", Text(200), "The event's id."),
            Argument::optional("release", Text(128), "The release's version."),
            CURSOR,
        ],
        result: &results::UNRESOLVED_FRAMES,
    },
    Tool {
        name: "similar_issues",
        title: "Find similar issues",
        about: "Lists issues of the same project thrown at the same place or with the same type, those of the same place first.",
        effect: Effect::Reads,
        arguments: &[PROJECT, ISSUE, CURSOR],
        result: &results::SIMILAR_ISSUES,
    },
    Tool {
        name: "resolve_issue",
        title: "Resolve an issue",
        about: "Marks an issue as resolved. It opens again by itself when it occurs again; with `in_release` only when it \
            occurs in that release or a later one.",
        effect: Effect::Sets,
        arguments: &[
            PROJECT,
            ISSUE,
            Argument::optional(
                "in_release",
                Text(128),
                "The version that has the fix, or `next` for the next release.",
            ),
        ],
        result: &results::RESOLVED,
    },
    Tool {
        name: "assign_issue",
        title: "Assign an issue",
        about: "Assigns an issue to a member of the organization, or to nobody.",
        effect: Effect::Sets,
        arguments: &[
            PROJECT,
            ISSUE,
            Argument::required(
                "assignee",
                Text(320),
                "`me`, `none`, or a member's e-mail or numeric user id",
            ),
        ],
        result: &results::ASSIGNED,
    },
    Tool {
        name: "comment_issue",
        title: "Comment on an issue",
        about: "Adds a comment to an issue in the name of the token's owner: what was found, what was tried.",
        effect: Effect::Adds,
        arguments: &[
            PROJECT,
            ISSUE,
            Argument::required("text", Text(10_000), "the comment, 1 to 10,000 characters"),
        ],
        result: &results::COMMENTED,
    },
];

/// The tool with this name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
