//! What happens to accounts, in transactions.

pub mod claim;
