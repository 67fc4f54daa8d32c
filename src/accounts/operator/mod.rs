//! What the operator of the machine does to accounts, with `mayday user`.

pub mod service;
pub mod sql;
