//! All statements on notices, notifications and preferences.

pub mod facts;
pub mod gather;
pub mod hourly;
pub mod inbox;
pub mod mails;
pub mod preferences;
pub mod report;
pub mod tell;
