//! `mayday usage` and `mayday retention`: what the data directory holds, and what limits would remove. Both only read the
//! files, so they work beside a running server and without one.

use super::{Options, ended, say};
use crate::config::Config;
use crate::config::retention::DAYS_MAX;
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::releases;
use crate::retention::service::{
    ProjectPolicy, Removals, events_beyond, logs_beyond, policies, replays_beyond, sessions_beyond,
};
use crate::retention::{RetentionPolicy, RetentionRule, RetentionSettings};
use crate::store::{Connection, Disk, Readers, check_current, has_instance, logs_schema, main_schema};
use crate::text::bytes;
use crate::time::Timestamp;
use crate::usage::service::Sources;
use crate::usage::{DataKind, InstanceUsage, KindUsage};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(super) struct UsageArguments {
    /// Prints JSON, with sizes in bytes
    #[arg(long)]
    json: bool,
}

/// RetentionLimits to try; without any, those in force.
#[derive(Debug, Args)]
pub(super) struct RetentionArguments {
    /// Events: whole days (UTC) after the day of receipt; 0 keeps all
    #[arg(long, value_name = "DAYS")]
    events_days: Option<u64>,
    /// Events: how many of the newest to keep
    #[arg(long, value_name = "NUMBER")]
    events_count: Option<u64>,
    /// Events: how many MiB of the newest to keep
    #[arg(long, value_name = "MIB")]
    events_mb: Option<u64>,
    /// Log entries: whole days (UTC) after the day of receipt; 0 keeps all
    #[arg(long, value_name = "DAYS")]
    logs_days: Option<u64>,
    /// Log entries: how many of the newest to keep
    #[arg(long, value_name = "NUMBER")]
    logs_count: Option<u64>,
    /// Log entries: how many MiB of the newest to keep
    #[arg(long, value_name = "MIB")]
    logs_mb: Option<u64>,
    /// Session replays: whole days (UTC) after the day of receipt; 0 keeps all
    #[arg(long, value_name = "DAYS")]
    replays_days: Option<u64>,
    /// Session replays: how many of the newest to keep
    #[arg(long, value_name = "NUMBER")]
    replays_count: Option<u64>,
    /// Session replays: how many MiB of the newest to keep
    #[arg(long, value_name = "MIB")]
    replays_mb: Option<u64>,
    /// Sessions of agents: days (24 hours) after their end; 0 keeps all
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(..=DAYS_MAX))]
    sessions_days: Option<u64>,
    /// Prints JSON, with sizes in bytes
    #[arg(long)]
    json: bool,
}

/// Both databases, opened read-only.
struct Files {
    config: Config,
    main: Connection,
    logs: Connection,
}

impl Files {
    fn open(options: &Options) -> std::result::Result<Result<Self>, ExitCode> {
        let config = options.config()?;
        Ok(Self::of(config))
    }

    fn of(config: Config) -> Result<Self> {
        let dir = &config.data_dir;
        if !has_instance(dir) || !dir.join("logs.db").exists() {
            return Err(Error::internal(format!(
                "{} has no databases: start the server once, or name its directory with --data-dir",
                dir.display()
            )));
        }
        let [main, logs] = [("main.db", main_schema()), ("logs.db", logs_schema())].map(|(name, schema)| {
            let path = dir.join(name);
            let connection = Readers::open(&path)?.dedicated()?;
            check_current(&path, &connection, schema)?;
            Ok::<_, Error>(connection)
        });
        let (main, logs) = (main?, logs?);
        Ok(Self { config, main, logs })
    }

    fn usage(&self) -> Result<InstanceUsage> {
        let disk = Disk::new(&self.config.data_dir, 0);
        let maps = releases::sql::disk::held(&self.main)?;
        let sources = Sources {
            data_dir: &self.config.data_dir,
            main: &self.main,
            logs: &self.logs,
            maps: &maps,
            room: (disk.free(), self.config.disk_floor_bytes),
            waiting: None,
        };
        sources.measure(Timestamp::now())
    }
}

pub(super) fn run(options: &Options, arguments: &UsageArguments) -> ExitCode {
    match Files::open(options) {
        Ok(files) => ended(files.and_then(|files| show_usage(&files, arguments))),
        Err(code) => code,
    }
}

pub(super) fn run_retention(options: &Options, arguments: &RetentionArguments) -> ExitCode {
    match Files::open(options) {
        Ok(files) => ended(files.and_then(|files| show_retention(&files, arguments))),
        Err(code) => code,
    }
}

fn show_usage(files: &Files, arguments: &UsageArguments) -> Result<()> {
    let usage = files.usage()?;
    if arguments.json {
        say(&serde_json::to_string_pretty(&usage).map_err(Error::internal)?);
        return Ok(());
    }
    usage_lines(&usage, &files.config).iter().for_each(|line| say(line));
    Ok(())
}

fn usage_lines(usage: &InstanceUsage, config: &Config) -> Vec<String> {
    let mut lines =
        vec![format!("{} holds {}.", config.data_dir.display(), size(usage.bytes)), String::new()];
    let row = |part: &KindUsage| vec![name(part.kind).to_owned(), number(part), size(part.bytes)];
    lines.extend(table(&["", "NUMBER", "SIZE"], &usage.kinds.iter().map(row).collect::<Vec<_>>()));
    if !usage.projects.is_empty() {
        lines.push(String::new());
        let of =
            |kinds: &[KindUsage], kind| kinds.iter().find(|part| part.kind == kind).map_or(0, |p| p.bytes);
        let row = |project: &crate::usage::ProjectUsage| {
            let part = |kind| size(of(&project.kinds, kind));
            vec![
                format!("{} {}", project.project_id, crate::text::shown(&project.name, 40)),
                part(DataKind::Events),
                part(DataKind::Logs),
                part(DataKind::LogIndex),
                part(DataKind::SourceMaps),
                part(DataKind::Replays),
                size(project.bytes),
                project.growth_bytes_per_day.map_or_else(|| "-".to_owned(), signed_size),
            ]
        };
        let rows: Vec<_> = usage.projects.iter().map(row).collect();
        let head = ["PROJECT", "EVENTS", "LOGS", "INDEX", "SOURCE MAPS", "REPLAYS", "TOTAL", "PER DAY"];
        lines.extend(table(&head, &rows));
    }
    lines.push(String::new());
    lines.push(forecast(usage));
    lines
}

fn forecast(usage: &InstanceUsage) -> String {
    let free = format!("{} are free", size(usage.free_bytes));
    match (usage.growth_bytes_per_day, usage.full_in_days) {
        (None, _) => format!("{free}. How it grows is known once there are figures of two days."),
        (Some(growth), Some(days)) => format!(
            "{free}. It grows by {} a day: in about {days} days SERVICE_DISK_FLOOR_MB ({}) is reached.",
            size(growth),
            size(usage.floor_bytes)
        ),
        (Some(growth), None) => format!("{free}. It changes by {} a day.", signed_size(growth)),
    }
}

impl RetentionArguments {
    fn tried(&self) -> RetentionSettings {
        let rule = |days, count, megabytes| RetentionRule { days, count, megabytes };
        RetentionSettings {
            events: rule(self.events_days, self.events_count, self.events_mb),
            logs: rule(self.logs_days, self.logs_count, self.logs_mb),
            replays: rule(self.replays_days, self.replays_count, self.replays_mb),
        }
    }
}

fn show_retention(files: &Files, arguments: &RetentionArguments) -> Result<()> {
    let tried = arguments.tried();
    tried.check()?;
    let defaults = RetentionPolicy::from(files.config.retention).overridden(&tried);
    let now = Timestamp::now();
    let mut all = Vec::new();
    for project in policies(&files.main, defaults)? {
        let removals = beyond(files, project.id, project.policy, now)?;
        all.push((project, removals));
    }
    let sessions_days = arguments.sessions_days.unwrap_or(files.config.retention.sessions_days);
    let sessions = sessions_beyond(&files.main, sessions_days, now)?;
    if arguments.json {
        let shown = |(project, removals): &(ProjectPolicy, Removals)| {
            json!({ "project_id": project.id, "name": project.name, "policy": project.policy,
                "events": removals.events, "logs": removals.logs, "replays": removals.replays })
        };
        let projects: Vec<_> = all.iter().map(shown).collect();
        let answer = json!({ "defaults": defaults, "projects": projects,
            "sessions": { "days": sessions_days, "count": sessions } });
        say(&serde_json::to_string_pretty(&answer).map_err(Error::internal)?);
        return Ok(());
    }
    retention_lines(&all).iter().for_each(|line| say(line));
    say(&"");
    say(&match sessions_days {
        0 => "Sessions of agents: all are kept.".to_owned(),
        days => format!("Sessions of agents: kept for {days} days after their end; {sessions} would go."),
    });
    say(&"Nothing was removed: a running server removes what is beyond its limits.");
    Ok(())
}

fn beyond(files: &Files, project: ProjectId, policy: RetentionPolicy, now: Timestamp) -> Result<Removals> {
    Ok(Removals {
        events: events_beyond(&files.main, project, &policy.events, now)?,
        logs: logs_beyond(&files.logs, project, &policy.logs, now)?,
        replays: replays_beyond(&files.main, project, &policy.replays, now)?,
    })
}

fn retention_lines(all: &[(ProjectPolicy, Removals)]) -> Vec<String> {
    let row = |(project, removals): &(ProjectPolicy, Removals)| {
        let part =
            |removal: crate::retention::Removal| format!("{} ({})", removal.count, size(removal.bytes));
        vec![
            format!("{} {}", project.id, crate::text::shown(&project.name, 40)),
            words(&project.policy.events),
            part(removals.events),
            words(&project.policy.logs),
            part(removals.logs),
            words(&project.policy.replays),
            part(removals.replays),
        ]
    };
    let head =
        ["PROJECT", "EVENTS KEPT", "WOULD GO", "LOG ENTRIES KEPT", "WOULD GO", "REPLAYS KEPT", "WOULD GO"];
    table(&head, &all.iter().map(row).collect::<Vec<_>>())
}

fn words(limits: &crate::retention::RetentionLimits) -> String {
    let parts = [
        limits.days.map(|days| format!("{days} days")),
        limits.count.map(|count| format!("newest {count}")),
        limits.megabytes.map(|megabytes| format!("{megabytes} MiB")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "all".to_owned() } else { parts.join(", ") }
}

fn name(kind: DataKind) -> &'static str {
    match kind {
        DataKind::Events => "Events",
        DataKind::Logs => "Log entries",
        DataKind::LogIndex => "Search index of the logs",
        DataKind::SourceMaps => "Source maps",
        DataKind::Replays => "Session replays",
        DataKind::SetAside => "Quarantine",
        DataKind::Database => "Issues, indexes and the rest",
        DataKind::Journal => "Journal",
        DataKind::Free => "Free pages, write-ahead logs",
        DataKind::Other => "Other files",
    }
}

fn number(part: &KindUsage) -> String {
    match part.kind {
        DataKind::Events | DataKind::Logs | DataKind::SourceMaps | DataKind::Replays | DataKind::SetAside => {
            part.count.to_string()
        }
        _ => String::new(),
    }
}

fn size(count: i64) -> String {
    bytes(count.unsigned_abs())
}

fn signed_size(count: i64) -> String {
    format!("{}{}", if count < 0 { "-" } else { "+" }, size(count))
}

/// A table whose columns are right-aligned, except for the first.
fn table(head: &[&str], rows: &[Vec<String>]) -> Vec<String> {
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let all: Vec<&Vec<String>> = std::iter::once(&head).chain(rows).collect();
    let length = |cell: &String| cell.chars().count();
    let width = |column: usize| all.iter().filter_map(|row| row.get(column)).map(length).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &&Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
