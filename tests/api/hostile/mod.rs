//! Requests that nobody would send by accident.

mod bodies;
mod mutations;
mod requests;
mod secrets;
mod unread;
