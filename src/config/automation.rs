//! Agent automation: limits, runners, repositories.

use super::reader::Reader;

/// The settings of agent automation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationConfig {
    /// `SERVICE_RATE_LIMIT_PLATFORM_PER_MINUTE`: requests to the platform API for each person or key; 0: unlimited.
    /// Default 1,000.
    pub requests_per_minute: u32,
    /// `SERVICE_RATE_LIMIT_SESSIONS_PER_MINUTE`: of them, those that start a session; 0: unlimited. Default 100.
    pub sessions_per_minute: u32,
    /// `SERVICE_RUNNER_LEASE_SECONDS`: how long a runner holds a session without saying anything, 10 to 3,600.
    /// Default 300.
    pub lease_seconds: u32,
    /// `SERVICE_DEFAULT_MODEL_ID`: the model of automations and sessions that name none. Default: the agent's own.
    pub default_model: Option<String>,
    /// `SERVICE_REPOSITORIES_ALLOW_LOCAL`: true lets repositories have addresses that begin with `file://` or `http://`.
    /// Default false: https and ssh.
    pub local_repositories: bool,
}

impl AutomationConfig {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let lease = reader.bounded("SERVICE_RUNNER_LEASE_SECONDS", 300, 10, 3_600);
        Self {
            requests_per_minute: reader.rate("SERVICE_RATE_LIMIT_PLATFORM_PER_MINUTE", 1_000),
            sessions_per_minute: reader.rate("SERVICE_RATE_LIMIT_SESSIONS_PER_MINUTE", 100),
            lease_seconds: u32::try_from(lease).unwrap_or(300),
            default_model: reader.value("SERVICE_DEFAULT_MODEL_ID", super::values::name),
            local_repositories: reader.switch("SERVICE_REPOSITORIES_ALLOW_LOCAL", false),
        }
    }
}
