//! `/api/v1/projects/{project_id}/api-keys`.

mod create;
mod revoke;
mod usage;
