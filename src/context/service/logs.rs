//! The file with the log entries of a trace.

use crate::context::untrusted::VALUE_MAX;
use crate::logs::search::LogEntry;
use crate::text::line;
use std::fmt::Write as _;

/// Log entries, the oldest first.
pub fn text(entries: &[LogEntry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let logger = entry.logger_name.as_deref().unwrap_or_default();
        let attributes = match entry.attributes.get() {
            "{}" => String::new(),
            attributes => format!(" {}", line(attributes, VALUE_MAX)),
        };
        let (at, level) = (entry.timestamp, entry.level.as_str());
        let message = line(&entry.message, VALUE_MAX);
        let _ = writeln!(text, "    {at} {level} {}: {message}{attributes}", line(logger, 100));
    }
    text
}
