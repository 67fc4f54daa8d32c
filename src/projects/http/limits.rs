//! The limits in force, for people who may run into them: each comes from the constant or setting that the
//! check itself uses.

use crate::config::Config;
use crate::digest::frames::CONTEXT_BYTES;
use crate::http::OFFSET_MAX;
use crate::http::body::ARRIVAL;
use crate::http::extract::JSON_MAX;
use crate::intake::decode::{self, limits};
use crate::projects::http::PLATFORM_MAX;
use crate::projects::{ENVIRONMENT_MAX, KEYS_MAX};
use crate::scrubbing;
use crate::store::QUERY_DEADLINE;
use crate::wire::json;
use crate::{accounts, issues, live, releases};
use serde::Serialize;
use utoipa::ToSchema;

/// The limits in force.
#[derive(Debug, Serialize, ToSchema)]
pub struct Limits {
    pub event: EventLimits,
    pub issue: IssueLimits,
    pub release: ReleaseLimits,
    pub project: ProjectLimits,
    pub rate: RateLimits,
    pub disk: DiskLimits,
    pub request: RequestLimits,
    pub stream: StreamLimits,
}

/// Limits of an event; texts over their limits are cut and listed in its `truncated`.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventLimits {
    /// Bytes of an event's JSON, decompressed; a larger one is refused.
    pub bytes: u64,
    /// Bytes of a batch, decompressed.
    pub batch_bytes: u64,
    /// Events of a batch.
    pub batch_events: u64,
    /// Levels of nesting of an event's JSON.
    pub json_depth: u64,
    /// Values of an event's JSON.
    pub json_values: u64,
    /// Milliseconds that a sent time may be in the future; otherwise the receipt time counts.
    pub future_milliseconds: u64,
    /// Milliseconds that a sent time may be in the past.
    pub past_milliseconds: u64,
    /// Characters of `event_id`; more are refused.
    pub id_chars: u64,
    /// Characters of messages: the event's, an exception's, a breadcrumb's.
    pub message_chars: u64,
    /// Characters of an exception's type.
    pub exception_type_chars: u64,
    /// Exceptions in the chain of causes.
    pub causes: u64,
    /// Characters of a stack's text.
    pub stack_chars: u64,
    /// Frames of a stack.
    pub frames: u64,
    /// Characters of a sent frame's function and module.
    pub function_chars: u64,
    /// Sent source lines on each side of a frame's own.
    pub context_lines: u64,
    /// Characters of a sent source line.
    pub context_line_chars: u64,
    /// Bytes of a sent frame's variables, as JSON.
    pub frame_vars_bytes: u64,
    /// The same for all frames of an event, those nearest to the throw first.
    pub vars_bytes: u64,
    /// Bytes of source lines that resolving adds to an event.
    pub resolved_context_bytes: u64,
    /// Breadcrumbs, the newest ones.
    pub breadcrumbs: u64,
    /// Bytes of a breadcrumb's `data`, as JSON.
    pub breadcrumb_data_bytes: u64,
    /// Bytes of the `data` of all breadcrumbs, as JSON.
    pub breadcrumbs_data_bytes: u64,
    /// Tags.
    pub tags: u64,
    /// Characters of a tag's key, and of its value.
    pub tag_chars: u64,
    /// Parts of a fingerprint.
    pub fingerprint_parts: u64,
    /// Characters of a fingerprint's part.
    pub fingerprint_part_chars: u64,
    /// Bytes of `extra` and `contexts` together, as JSON.
    pub extra_and_contexts_bytes: u64,
    /// Characters of `release`.
    pub release_chars: u64,
    /// Characters of `environment`.
    pub environment_chars: u64,
    /// Characters of addresses.
    pub url_chars: u64,
    /// Characters of `user_agent`.
    pub user_agent_chars: u64,
    /// Characters of an id, e-mail or name of a user or account.
    pub identity_chars: u64,
    /// Characters of the ids of sessions, windows, replays, traces and spans.
    pub correlation_id_chars: u64,
    /// Characters of short names: platform, categories, the SDK's.
    pub name_chars: u64,
}

/// Limits of issues and their counts.
#[derive(Debug, Serialize, ToSchema)]
pub struct IssueLimits {
    /// The most issues in one bulk change.
    pub changed_at_once: u64,
    /// Characters of `query`.
    pub query_chars: u64,
    /// Terms of `query`; further ones are ignored.
    pub query_terms: u64,
    /// `tag.…` filters of one list.
    pub tag_filters: u64,
    /// Distinct values of a tag, context, environment or release that an issue counts; users and accounts are
    /// not limited.
    pub facet_values: u64,
    /// The same for all of them together.
    pub facets: u64,
    /// Tags of a project, by name.
    pub project_tags: u64,
    /// Distinct values of a tag, of a context, of environments or of releases in a project.
    pub project_values: u64,
    /// Distinct values of all tags of a project together.
    pub project_tag_values: u64,
    /// Hours of a trend.
    pub trend_hours: u64,
    /// Rows of a page of issues, or of an issue's events.
    pub page: u64,
    /// Views of a person in the project.
    pub views: u64,
    /// Views that are shared in the project.
    pub shared_views: u64,
    /// Views of a list whose issues are counted.
    pub counted_views: u64,
}

/// Limits of releases and source maps.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseLimits {
    /// Characters of a version.
    pub version_chars: u64,
    /// Characters of `url_prefix`.
    pub url_prefix_chars: u64,
    /// Characters of a source map's `url`.
    pub url_chars: u64,
    /// Bytes of a source map: `SERVICE_SOURCEMAP_MAX_MB`.
    pub source_map_bytes: u64,
    /// Bytes of a style sheet.
    pub style_sheet_bytes: u64,
    /// Style sheets of a release.
    pub style_sheets: u64,
    /// Bytes of all style sheets of a release.
    pub style_sheets_bytes: u64,
    /// Rows of a page of releases.
    pub page: u64,
    /// Rows of a page of source maps.
    pub source_maps_page: u64,
}

/// Limits of a project, its keys and its settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectLimits {
    /// Characters of the name, and of a key's name.
    pub name_chars: u64,
    /// Characters of `platform`.
    pub platform_chars: u64,
    /// Keys that are not revoked.
    pub keys: u64,
    /// Characters of a key's `environment`.
    pub key_environment_chars: u64,
    /// Names in `settings.scrubbing.keys`.
    pub scrubbed_names: u64,
    /// Characters of such a name.
    pub scrubbed_name_chars: u64,
}

/// Rate limits; requests over them are answered 429 with `Retry-After`. `null`: unlimited.
#[derive(Debug, Serialize, ToSchema)]
pub struct RateLimits {
    /// Error events of this project: `SERVICE_RATE_LIMIT_ERRORS_PER_SECOND`.
    pub events_per_second: Option<u32>,
    /// Log entries of this project: `SERVICE_RATE_LIMIT_LOGS_PER_SECOND`.
    pub logs_per_second: Option<u32>,
    /// Kilobytes of events and log entries of this project, decompressed, and of replays as sent: `SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND`.
    pub kilobytes_per_second: Option<u32>,
    /// Requests with session replays of this project: `SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND`.
    pub replays_per_second: Option<u32>,
    /// Uploads of source maps to this project: `SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR`.
    pub uploads_per_hour: Option<u32>,
    /// Requests of one person: `SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR`.
    pub requests_per_hour: Option<u32>,
}

/// Limits of the server's disk. Below twice the floor, projects that have recently used the most space are
/// refused with 503; below the floor, all are.
#[derive(Debug, Serialize, ToSchema)]
pub struct DiskLimits {
    /// Bytes that must be free: `SERVICE_DISK_FLOOR_MB`.
    pub floor_bytes: u64,
    /// Why nothing is currently accepted for this project; `null` while there is room.
    pub refused: Option<String>,
}

/// Limits of dashboard requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct RequestLimits {
    /// Bytes of a JSON body, decompressed.
    pub json_bytes: u64,
    /// Rows that a list may skip.
    pub offset: u64,
    /// Milliseconds that a read may take; a longer one ends with 503.
    pub query_milliseconds: u64,
    /// Milliseconds that a body, or the next piece of an upload, may take to arrive.
    pub arrival_milliseconds: u64,
}

/// Limits of live streams.
#[derive(Debug, Serialize, ToSchema)]
pub struct StreamLimits {
    /// Streams of the whole instance.
    pub all: u64,
    /// Streams of one person or key.
    pub each: u64,
    /// The most issues that a message names.
    pub ids: u64,
    /// Milliseconds between messages.
    pub gap_milliseconds: u64,
}

impl Limits {
    /// `refused` says why nothing is currently accepted for the project, if that is so.
    pub fn of(config: &Config, refused: Option<String>) -> Self {
        Self {
            event: EventLimits::NOW,
            issue: IssueLimits::NOW,
            release: ReleaseLimits::of(config),
            project: ProjectLimits::NOW,
            rate: RateLimits::of(config),
            disk: DiskLimits { floor_bytes: config.disk_floor_bytes, refused },
            request: RequestLimits::NOW,
            stream: StreamLimits::NOW,
        }
    }
}

impl EventLimits {
    const NOW: Self = Self {
        bytes: decode::EVENT_MAX as u64,
        batch_bytes: decode::BATCH_MAX as u64,
        batch_events: decode::BATCH_EVENTS_MAX as u64,
        json_depth: json::DEPTH_MAX as u64,
        json_values: json::VALUES_MAX as u64,
        future_milliseconds: decode::FUTURE_MAX as u64,
        past_milliseconds: decode::PAST_MAX as u64,
        id_chars: limits::EVENT_ID as u64,
        message_chars: limits::MESSAGE as u64,
        exception_type_chars: limits::EXCEPTION_TYPE as u64,
        causes: limits::CAUSES as u64,
        stack_chars: limits::STACK as u64,
        frames: limits::FRAMES as u64,
        function_chars: limits::FUNCTION as u64,
        context_lines: limits::CONTEXT_LINES as u64,
        context_line_chars: limits::SOURCE_LINE as u64,
        frame_vars_bytes: limits::FRAME_VARS_BYTES as u64,
        vars_bytes: limits::VARS_BYTES as u64,
        resolved_context_bytes: CONTEXT_BYTES as u64,
        breadcrumbs: limits::BREADCRUMBS as u64,
        breadcrumb_data_bytes: limits::BREADCRUMB_BYTES as u64,
        breadcrumbs_data_bytes: limits::BREADCRUMBS_BYTES as u64,
        tags: limits::TAGS as u64,
        tag_chars: limits::TAG as u64,
        fingerprint_parts: limits::FINGERPRINT as u64,
        fingerprint_part_chars: limits::TAG as u64,
        extra_and_contexts_bytes: limits::FREE_BYTES as u64,
        release_chars: limits::RELEASE as u64,
        environment_chars: limits::ENVIRONMENT as u64,
        url_chars: limits::URL as u64,
        user_agent_chars: limits::USER_AGENT as u64,
        identity_chars: limits::IDENTITY as u64,
        correlation_id_chars: limits::ID as u64,
        name_chars: limits::NAME as u64,
    };
}

impl IssueLimits {
    const NOW: Self = Self {
        changed_at_once: issues::BULK_MAX as u64,
        query_chars: issues::sql::QUERY_MAX as u64,
        query_terms: issues::TERMS_MAX as u64,
        tag_filters: issues::TAG_FILTERS_MAX as u64,
        facet_values: issues::FACET_VALUES_MAX as u64,
        facets: issues::FACETS_MAX as u64,
        project_tags: issues::PROJECT_TAGS_MAX as u64,
        project_values: issues::PROJECT_VALUES_MAX as u64,
        project_tag_values: issues::PROJECT_TAG_VALUES_MAX as u64,
        trend_hours: issues::TREND_HOURS_MAX,
        page: issues::PAGE_MAX,
        views: issues::views::OWN_MAX as u64,
        shared_views: issues::views::SHARED_MAX as u64,
        counted_views: issues::views::COUNTED as u64,
    };
}

impl ReleaseLimits {
    fn of(config: &Config) -> Self {
        Self {
            version_chars: releases::VERSION_MAX as u64,
            url_prefix_chars: releases::URL_PREFIX_MAX as u64,
            url_chars: releases::URL_MAX as u64,
            source_map_bytes: config.sourcemap_max_bytes,
            style_sheet_bytes: releases::styles::SIZE_MAX,
            style_sheets: releases::styles::COUNT_MAX,
            style_sheets_bytes: releases::styles::TOTAL_MAX,
            page: releases::PAGE_MAX,
            source_maps_page: releases::MAPS_PAGE_MAX,
        }
    }
}

impl ProjectLimits {
    const NOW: Self = Self {
        name_chars: accounts::NAME_MAX as u64,
        platform_chars: PLATFORM_MAX as u64,
        keys: KEYS_MAX as u64,
        key_environment_chars: ENVIRONMENT_MAX as u64,
        scrubbed_names: scrubbing::KEYS_MAX as u64,
        scrubbed_name_chars: scrubbing::KEY_MAX as u64,
    };
}

impl RateLimits {
    fn of(config: &Config) -> Self {
        let bound = |rate| (rate != 0).then_some(rate);
        let rates = config.rate_limits;
        Self {
            events_per_second: bound(rates.errors_per_second),
            logs_per_second: bound(rates.logs_per_second),
            kilobytes_per_second: bound(rates.kilobytes_per_second),
            replays_per_second: bound(rates.replays_per_second),
            uploads_per_hour: bound(rates.sourcemaps_per_hour),
            requests_per_hour: bound(config.sign_in.dashboard_per_hour),
        }
    }
}

impl RequestLimits {
    const NOW: Self = Self {
        json_bytes: JSON_MAX as u64,
        offset: OFFSET_MAX,
        query_milliseconds: QUERY_DEADLINE.as_millis() as u64,
        arrival_milliseconds: ARRIVAL.as_millis() as u64,
    };
}

impl StreamLimits {
    const NOW: Self = Self {
        all: live::STREAMS_MAX as u64,
        each: live::STREAMS_EACH_MAX as u64,
        ids: live::IDS_MAX as u64,
        gap_milliseconds: live::GAP.as_millis() as u64,
    };
}
