//! All statements on alert channels, rules, and sent messages.

pub mod channels;
pub mod events;
pub mod firings;
pub mod log;
pub mod look;
pub mod past;
pub mod rules;

#[cfg(test)]
mod tests;
