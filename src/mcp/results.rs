//! The result type of each tool, with the origin of each field.
//!
//! `sent` is always what came through a public key. A name that anybody can choose (a release, an environment, an event's id)
//! is such a thing even where a member or a pipeline may have chosen it.

use super::shape::Form::{Flag, Json, List, Object, Text, Texts, Whole, Wholes};
use super::shape::Origin::{Event, Person, Repository, Server};
use super::shape::{Field, Form, Record};
use crate::replays::steps::STEPS_MAX;

/// Characters of all rows of a list; the rest of an answer takes some more.
pub const ROWS: usize = 22_000;

const TIME: Form = Text(40);
const WORD: Form = Text(32);
const VERSION: Form = Text(128);
const TITLE: Form = Text(300);
const ADDRESS: Form = Text(500);
const PROSE: Form = Text(2_000);
/// Lines of source; a frame has at most eleven.
const CODE: Form = Texts(11, 400);

const TOTAL: Field = Field::required("total", Whole);
const NEXT: Field = Field::optional("next_cursor", Text(1_000));
const ISSUE_ID: Field = Field::required("issue_id", Whole);
const PROJECT_ID: Field = Field::required("project_id", Whole);
const SHORT_ID: Field = Field::required("short_id", Text(64));
const STATUS: Field = Field::required("status", WORD);
const SUBSTATUS: Field = Field::optional("substatus", WORD);
const ASSIGNEE: Field = Field::optional("assignee", Object(&MEMBER));

macro_rules! records {
    ($($(#[$about:meta])* $name:ident: $origin:ident [$($field:expr),* $(,)?])*) => {
        $($(#[$about])* pub static $name: Record = Record::new($origin, &[$($field),*]);)*
    };
}

records! {
    /// A member of the organization.
    MEMBER: Person [Field::required("user_id", Whole).from("id"), Field::required("email", Text(320))]

    PROJECTS: Server [TOTAL, Field::required("projects", List(1_000, ROWS, &PROJECT)), NEXT]
    PROJECT: Server [PROJECT_ID.from("id"), Field::group("named", &PROJECT_NAMED)]
    PROJECT_NAMED: Person [
        Field::required("name", VERSION), Field::optional("platform", Text(64)), Field::required("organization", VERSION),
    ]

    ISSUES: Server [TOTAL, Field::required("issues", List(100, ROWS, &ISSUE)), NEXT]
    ISSUE: Server [
        ISSUE_ID.from("id"), SHORT_ID, STATUS, SUBSTATUS, Field::required("event_count", Whole),
        Field::optional("events_within", Whole), Field::required("user_count", Whole), Field::required("first_seen", TIME), Field::required("last_seen", TIME),
        Field::group("sent", &ISSUE_SENT), ASSIGNEE,
    ]
    ISSUE_SENT: Event [
        Field::required("title", TITLE), Field::required("culprit", TITLE), Field::required("level", WORD),
    ]

    SIMILAR_ISSUES: Server [TOTAL, Field::required("issues", List(100, ROWS, &SIMILAR)), NEXT]
    SIMILAR: Server [
        ISSUE_ID.from("id"), SHORT_ID, STATUS, Field::required("event_count", Whole), Field::required("last_seen", TIME),
        Field::required("has_same_culprit", Flag), Field::group("sent", &SIMILAR_SENT),
    ]
    SIMILAR_SENT: Event [
        Field::required("title", TITLE), Field::required("culprit", TITLE),
        Field::optional("resolved_in_release", VERSION),
    ]

    /// All of an issue that fits. Lists that were shortened are named in `left_out`.
    WHOLE_ISSUE: Server [
        ISSUE_ID, PROJECT_ID, SHORT_ID, STATUS, SUBSTATUS, Field::required("priority", WORD),
        Field::required("page", ADDRESS), Field::required("first_seen", TIME), Field::required("last_seen", TIME),
        Field::required("event_count", Whole), Field::required("user_count", Whole),
        Field::required("account_count", Whole), Field::required("trend", Wholes),
        Field::required("comment_count", Whole), Field::group("sent", &WHOLE_ISSUE_SENT), ASSIGNEE,
        Field::required("releases", List(3, 1_000, &ISSUE_RELEASE)), Field::optional("suspect_release", Object(&SUSPECT)),
        Field::optional("newest_event", Object(&NEWEST)), Field::required("exceptions", List(10, 3_000, &EXCEPTION)),
        Field::required("frames", List(30, 7_000, &FRAME)), Field::required("breadcrumbs", List(15, 2_500, &CRUMB)),
        Field::required("replay", List(30, 3_000, &STEP)), Field::required("tags", List(15, 1_500, &TAG)),
        Field::required("comments", List(10, 2_000, &COMMENT)),
        Field::required("program_comments", List(10, 1_000, &PROGRAM_COMMENT)),
        Field::required("similar_issues", List(20, 1_500, &SIMILAR)), Field::required("left_out", Texts(10, 32)),
    ]
    WHOLE_ISSUE_SENT: Event [
        Field::required("title", TITLE), Field::required("culprit", TITLE), Field::required("level", WORD),
        Field::required("type", Text(200)), Field::required("message", Text(1_000)), Field::optional("platform", Text(64)),
        Field::optional("first_release", VERSION), Field::optional("last_release", VERSION),
        Field::required("environments", Texts(10, 64)),
    ]
    ISSUE_RELEASE: Server [
        Field::required("seen", WORD), Field::required("created_at", TIME), Field::optional("finalized_at", TIME),
        Field::required("source_map_count", Whole), Field::group("sent", &RELEASE_SENT),
    ]
    RELEASE_SENT: Event [Field::required("version", VERSION), Field::optional("environment", Text(64))]
    SUSPECT: Server [
        Field::required("rise", WORD), Field::required("rose_at", TIME), Field::required("out_at", TIME),
        Field::group("sent", &RELEASE_SENT),
    ]
    NEWEST: Event [
        Field::required("event_id", Text(200)), Field::required("timestamp", TIME),
        Field::required("environment", Text(64)), Field::optional("release", VERSION), Field::optional("url", ADDRESS),
        Field::optional("trace_id", Text(200)), Field::optional("message", Text(1_000)),
    ]
    TAG: Server [
        Field::required("total", Whole), Field::required("unique", Whole), Field::group("sent", &TAG_SENT),
    ]
    TAG_SENT: Event [Field::required("key", Text(100)), Field::required("values", Texts(5, 100))]
    COMMENT: Server [
        Field::required("comment_id", Whole).from("id"), Field::required("at", TIME),
        Field::group("written", &COMMENT_WRITTEN), Field::optional("by", Object(&MEMBER)).from("user"),
    ]
    COMMENT_WRITTEN: Person [Field::required("text", PROSE)]
    /// A program with a member's token may repeat what it has read.
    PROGRAM_COMMENT: Server [
        Field::required("comment_id", Whole).from("id"), Field::required("at", TIME),
        Field::group("sent", &PROGRAM_COMMENT_SENT), Field::optional("with_token_of", Object(&MEMBER)).from("user"),
    ]
    PROGRAM_COMMENT_SENT: Event [Field::required("text", PROSE)]

    EVENTS: Server [TOTAL, Field::required("events", List(100, ROWS, &EVENT)), NEXT]
    EVENT: Server [Field::required("received_at", TIME), Field::group("sent", &EVENT_SENT)]
    EVENT_SENT: Event [
        Field::required("event_id", Text(200)), Field::required("timestamp", TIME), Field::required("level", WORD),
        Field::required("title", TITLE), Field::required("environment", Text(64)), Field::optional("release", VERSION),
        Field::optional("url", ADDRESS), Field::optional("trace_id", Text(200)),
    ]

    /// A page of an event. The parts come in this order; what does not fit stands on the next page.
    WHOLE_EVENT: Server [
        ISSUE_ID, PROJECT_ID, Field::required("page", ADDRESS), Field::required("received_at", TIME),
        Field::group("sent", &WHOLE_EVENT_SENT), Field::required("exceptions", List(10, ROWS, &EXCEPTION)),
        Field::required("frames", List(10_000, ROWS, &FRAME)), Field::required("breadcrumbs", List(1_000, ROWS, &CRUMB)),
        Field::required("fields", List(10_000, ROWS, &SENT_FIELD)),
        Field::required("replay", List(STEPS_MAX, ROWS, &STEP)), NEXT,
    ]
    WHOLE_EVENT_SENT: Event [Field::required("event_id", Text(200)), Field::required("timestamp", TIME)]
    /// Number 0 was thrown; each other one caused the one before it.
    EXCEPTION: Server [Field::required("number", Whole), Field::group("sent", &EXCEPTION_SENT)]
    EXCEPTION_SENT: Event [Field::optional("type", Text(200)), Field::optional("message", PROSE)]
    FRAME: Server [
        Field::required("exception", Whole), Field::required("in_app", Flag), Field::group("sent", &FRAME_SENT),
        Field::optional("original", Object(&ORIGINAL)),
    ]
    /// Where the code ran, the lines around it if the client sent them, and in `get_event` what local variables held.
    FRAME_SENT: Event [
        Field::optional("function", Text(200)), Field::optional("url", ADDRESS), Field::optional("line", Whole),
        Field::optional("column", Whole), Field::optional("code_from_line", Whole), Field::optional("code", CODE),
        Field::optional("vars", Json(2_000)),
    ]
    /// Where that is in the source, by a source map.
    ORIGINAL: Repository [
        Field::required("file", ADDRESS), Field::optional("function", Text(200)), Field::required("line", Whole),
        Field::required("column", Whole), Field::optional("code_from_line", Whole), Field::optional("code", CODE),
    ]
    CRUMB: Event [
        Field::optional("timestamp", TIME), Field::optional("level", WORD), Field::optional("category", Text(100)),
        Field::optional("type", Text(100)), Field::optional("message", PROSE), Field::optional("data", Json(2_000)),
    ]
    /// Something that the person did or saw in the replay before the event.
    STEP: Event [Field::required("at", TIME), Field::required("kind", WORD), Field::required("text", TITLE)]
    /// A value of what else was sent, as text; a long one goes on in the next field with the same path.
    SENT_FIELD: Event [Field::required("path", ADDRESS), Field::required("value", PROSE)]

    LOGS: Server [
        TOTAL, Field::required("is_complete", Flag), Field::required("entries", List(200, ROWS, &LOG)), NEXT,
    ]
    LOG: Event [
        Field::required("timestamp", TIME), Field::required("level", WORD), Field::required("message", PROSE),
        Field::optional("logger_name", Text(100)), Field::optional("trace_id", Text(200)),
        Field::optional("attributes", Json(2_000)), Field::required("environment", Text(64)),
        Field::optional("release", VERSION), Field::optional("file_path", ADDRESS), Field::optional("line_number", Whole),
        Field::optional("function_name", Text(200)),
    ]

    RELEASES: Server [TOTAL, Field::required("releases", List(100, ROWS, &RELEASE)), NEXT]
    RELEASE: Server [
        Field::required("created_at", TIME), Field::optional("finalized_at", TIME),
        Field::required("source_map_count", Whole), Field::required("event_count", Whole),
        Field::required("issue_count", Whole), Field::required("new_issue_count", Whole),
        Field::required("regression_count", Whole), Field::required("user_count", Whole),
        Field::optional("last_event_at", TIME), Field::group("sent", &RELEASE_SENT),
        Field::group("built_from", &BUILT_FROM),
    ]
    BUILT_FROM: Repository [Field::optional("commit", VERSION)]

    UNRESOLVED_FRAMES: Server [TOTAL, Field::required("frames", List(10_000, ROWS, &UNRESOLVED)), NEXT]
    /// A frame of an event, or all frames of a release's last events with one address that fail one rule.
    UNRESOLVED: Server [
        Field::required("rule", WORD), Field::optional("frame_count", Whole), Field::optional("event_count", Whole),
        Field::optional("last_issue_id", Whole), Field::optional("last_seen", TIME),
        Field::group("sent", &UNRESOLVED_SENT), Field::required("nearest", List(5, 3_000, &NEAREST)),
    ]
    /// Even the command: it has the frame's address in it.
    UNRESOLVED_SENT: Event [
        Field::optional("function", Text(200)), Field::optional("url", ADDRESS), Field::optional("line", Whole),
        Field::optional("column", Whole), Field::required("detail", Text(1_000)), Field::optional("looked_for", ADDRESS),
        Field::optional("command", Text(1_000)), Field::optional("last_event_id", Text(200)),
    ]
    NEAREST: Server [Field::required("why", ADDRESS), Field::group("map", &NEAREST_MAP)]
    NEAREST_MAP: Repository [Field::required("url", ADDRESS), Field::required("release", VERSION)]

    RESOLVED: Server [ISSUE_ID.from("id"), SHORT_ID, STATUS, Field::group("given", &RESOLVED_GIVEN)]
    RESOLVED_GIVEN: Person [Field::optional("resolved_in_release", VERSION)]
    ASSIGNED: Server [ISSUE_ID.from("id"), SHORT_ID, STATUS, ASSIGNEE]
    COMMENTED: Server [Field::required("comment_id", Whole).from("id"), Field::required("at", TIME)]
}
