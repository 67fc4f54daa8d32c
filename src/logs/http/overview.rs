//! `/api/v1/projects/{project_id}/logs/{histogram,templates,fields}`.

use super::search::shown_page;
use crate::access::{Access, Read};
use crate::error::{Error, Result};
use crate::event::log_entry::Level;
use crate::http::extract::{Query, bounded};
use crate::logs::overview::{by_level, length, starts};
use crate::logs::search::{Filters, LogEntry, OFFSET_MAX, PAGE_MAX};
use crate::logs::store::LogStore;
use crate::search::facts::field_of;
use crate::search::lookup::Counts;
use crate::text::shown;
use crate::time::{SECOND, Timestamp};
use axum::Json as Answer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use utoipa::{IntoParams, ToSchema};

/// The most values of a field, and the most fields, examined in each segment.
const EXAMINED_MAX: usize = 100_000;
/// The most fields listed.
const NAMES_MAX: usize = 1_000;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistogramParams {
    /// Length of an interval in seconds. Default: one that gives about sixty intervals. At most 500
    /// intervals.
    #[param(value_type = Option<i64>)]
    interval: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Histogram {
    pub start_time: Timestamp,
    pub end_time: Timestamp,
    /// Seconds.
    pub interval: i64,
    pub buckets: Vec<Bucket>,
    pub total: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Bucket {
    /// Its start, at a whole interval since the epoch (UTC).
    pub time: Timestamp,
    pub total: u64,
    #[schema(value_type = BTreeMap<String, u64>)]
    pub levels: BTreeMap<Level, u64>,
}

/// Counts log entries over time, by level. Default range: the last 24 hours.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs/histogram", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Filters, HistogramParams),
    responses((status = 200, body = Histogram), (status = 422)))]
pub async fn get_log_histogram(
    State(logs): State<LogStore>,
    access: Access<Read>,
    Query(filters): Query<Filters>,
    Query(params): Query<HistogramParams>,
) -> Result<Answer<Histogram>> {
    let scope = filters.recent(access.project.id, Timestamp::now())?;
    let length = length(&scope, params.interval.as_deref())?;
    let steps = starts(&scope, length);
    let (start_time, end_time, asked) = (scope.start, scope.end, steps.clone());
    let counts = logs.index.search(move |view| view.histogram(&scope, &asked)).await?;
    let buckets: Vec<Bucket> = steps
        .into_iter()
        .zip(counts)
        .map(|(time, counts)| Bucket { time, total: counts.iter().sum(), levels: by_level(counts) })
        .collect();
    let total = buckets.iter().map(|bucket| bucket.total).sum();
    Ok(Answer(Histogram { start_time, end_time, interval: length / SECOND, buckets, total }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListParams {
    /// 1 to 1,000, default 50.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 100,000.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

impl ListParams {
    fn page(&self) -> Result<(usize, usize)> {
        let limit = bounded("limit", self.limit.as_deref(), 50, 1, PAGE_MAX)?;
        let offset = bounded("offset", self.offset.as_deref(), 0, 0, OFFSET_MAX)?;
        Ok((limit as usize, offset as usize))
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Templates {
    pub templates: Vec<TemplateGroup>,
    /// Total number of templates.
    pub total: usize,
    pub has_more: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateGroup {
    /// Used as `template:<id>` in a search.
    pub id: String,
    pub template: String,
    pub count: u64,
    /// Its newest entry.
    pub example: LogEntry,
}

/// Groups log entries by template, most frequent first. Default range: the last 24 hours.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs/templates", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Filters, ListParams),
    responses((status = 200, body = Templates), (status = 422)))]
pub async fn list_log_templates(
    State(logs): State<LogStore>,
    access: Access<Read>,
    Query(filters): Query<Filters>,
    Query(page): Query<ListParams>,
) -> Result<Answer<Templates>> {
    let (limit, offset) = page.page()?;
    let project = access.project.id;
    let scope = filters.recent(project, Timestamp::now())?;
    let counts = logs.index.search(move |view| view.templates(&scope)).await?;
    let total = counts.len();
    let mut groups: Vec<_> = counts.into_iter().collect();
    groups.sort_unstable_by(|(id, a), (other, b)| b.0.cmp(&a.0).then_with(|| id.cmp(other)));
    let page: Vec<_> = groups.into_iter().skip(offset).take(limit).collect();
    let ids = page.iter().map(|(_, (_, (_, entry)))| *entry).collect();
    let examples = shown_page(&logs, project, ids, None).await?;
    let mut counts: BTreeMap<i64, u64> =
        page.iter().map(|(_, (count, (_, entry)))| (entry.0, *count)).collect();
    let group = |example: LogEntry| TemplateGroup {
        id: example.template_id.clone(),
        template: example.template.clone(),
        count: counts.remove(&example.id).unwrap_or(0),
        example,
    };
    let templates: Vec<_> = examples.into_iter().map(group).collect();
    Ok(Answer(Templates { has_more: offset + templates.len() < total, templates, total }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FieldParams {
    /// `level`, `logger`, `user`, `account`, `trace`, `environment`, `release`, `file`, `function`, `template`,
    /// `attributes.<path>`. Without it the fields are listed.
    field: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LogFields {
    /// The fields that entries have, in order; of over 1,000 the most frequent. With `field`, only that one.
    pub fields: Vec<String>,
    /// How many entries have each of `fields`; empty with `field`.
    pub counts: BTreeMap<String, u64>,
    /// The values of `field`, most frequent first, in lower case and cut to 200 bytes.
    pub values: Vec<FieldValue>,
    /// Total number of values; without `field`, of fields.
    pub total: usize,
    pub has_more: bool,
    /// Whether every value, or field, was counted. Where the index has over 100,000 of them in one of its parts,
    /// only the first 100,000 in order are counted there: others are missing, or their counts are too low.
    pub is_complete: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FieldValue {
    pub value: String,
    pub count: u64,
}

impl LogFields {
    fn names(counted: Counts) -> Self {
        let total = counted.by_text.len();
        let names = most_frequent(counted.by_text).into_iter().take(NAMES_MAX);
        let counts: BTreeMap<String, u64> = names.collect();
        Self {
            fields: counts.keys().cloned().collect(),
            has_more: counts.len() < total,
            counts,
            values: Vec::new(),
            total,
            is_complete: !counted.is_cut,
        }
    }

    fn values(field: String, counted: Counts, (limit, offset): (usize, usize)) -> Self {
        let total = counted.by_text.len();
        let page = most_frequent(counted.by_text).into_iter().skip(offset).take(limit);
        let values: Vec<_> = page.map(|(value, count)| FieldValue { value, count }).collect();
        Self {
            fields: vec![field],
            counts: BTreeMap::new(),
            has_more: offset + values.len() < total,
            values,
            total,
            is_complete: !counted.is_cut,
        }
    }
}

fn most_frequent(counts: HashMap<String, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}

/// Lists the fields of log entries, or the values of one, with their counts. Default range: the last 24 hours.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs/fields", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Filters, FieldParams, ListParams),
    responses((status = 200, body = LogFields), (status = 422, description = "No such field")))]
pub async fn list_log_fields(
    State(logs): State<LogStore>,
    access: Access<Read>,
    Query(filters): Query<Filters>,
    Query(params): Query<FieldParams>,
    Query(page): Query<ListParams>,
) -> Result<Answer<LogFields>> {
    let page = page.page()?;
    let scope = filters.recent(access.project.id, Timestamp::now())?;
    let Some(name) = params.field.filter(|name| !name.is_empty()) else {
        let names = logs.index.search(move |view| view.names(&scope, EXAMINED_MAX)).await?;
        return Ok(Answer(LogFields::names(names)));
    };
    let field = field_of(&name).map(std::borrow::Cow::into_owned).ok_or_else(|| {
        Error::invalid(format!(
            "field: expected level, logger, user, account, trace, environment, release, file, function, template or \
             attributes.<path>, got `{}`",
            shown(&name, 64)
        ))
    })?;
    let asked = field.clone();
    let values = logs.index.search(move |view| view.values(&scope, &asked, EXAMINED_MAX)).await?;
    Ok(Answer(LogFields::values(field, values, page)))
}

#[cfg(test)]
mod tests;
