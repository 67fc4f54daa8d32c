//! What the machine's operator can do to accounts with `mayday user`.

pub mod service;
pub mod sql;
