//! Mail that goes to people about their passwords and addresses.

use crate::accounts::User;
use crate::app::App;
use std::net::IpAddr;
use std::sync::Arc;

/// What a person is told after the fact, so that one who did not do it learns of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Notice {
    PasswordChanged,
    EmailChanged,
}

pub(super) async fn notice(_app: &App, _email: &str, _notice: Notice) {}

pub(super) async fn send_reset(_app: Arc<App>, _email: String, _address: IpAddr) {}

pub(super) async fn send_email_change(_app: Arc<App>, _user: User, _email: String, _address: IpAddr) {}
