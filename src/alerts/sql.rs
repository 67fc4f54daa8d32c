//! All statements on alert channels, rules, and sent messages.

pub mod channels;
pub mod events;
pub mod firings;
pub mod log;
pub mod preview;
pub mod rules;
pub mod thresholds;

#[cfg(test)]
mod tests;
