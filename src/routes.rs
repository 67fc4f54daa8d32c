//! Every route in one list.

mod collection;
pub mod document;

use crate::http::fallback::method_not_allowed;
use crate::http::shape::{self, Shape, shaped};
use crate::http::{layers, quota};
use crate::instance::http as instance;
use crate::instance::{overview, updater};
use crate::routes::collection::{Collection, routes};
use crate::routes::document::Document;
use crate::state::Shared;
use crate::web_app;
use crate::{
    accounts, alerts, audit, automations, backup, connections, events, intake, issues, live, logs, mcp,
    metrics, notifications, organizations, projects, releases, replays, repositories, retention, runners,
    sessions, set_aside, tickets, usage,
};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

/// Called by any page, with the key in the body.
fn ingestion<C: Collection>() -> C {
    C::empty()
        .routes(routes!(intake::http::post_error))
        .routes(routes!(intake::http::post_errors))
        .routes(routes!(logs::http::ingest::post_logs))
        .routes(routes!(replays::http::ingest::post_replay))
        .routes(routes!(replays::http::ingest::post_replay_chunk))
}

/// The claim, sign-in, and a person's own account.
fn signing_in<C: Collection>() -> C {
    use accounts::{flows, http, login, me, registration, sign_in, tokens};
    C::empty()
        .routes(routes!(http::get_setup, http::set_up))
        .routes(routes!(flows::http::list_methods))
        .routes(routes!(flows::http::start_sso, flows::http::begin_sso))
        .routes(routes!(flows::http::start_github, flows::http::begin_github))
        .routes(routes!(flows::http::finish::finish_sso))
        .routes(routes!(flows::http::finish::finish_github))
        .routes(routes!(login::http::log_in))
        .routes(routes!(login::http::log_out))
        .routes(routes!(login::http::change_password))
        .routes(routes!(login::http::forgot_password))
        .routes(routes!(login::http::reset_password))
        .routes(routes!(login::http::change_email))
        .routes(routes!(login::http::confirm_email))
        .routes(routes!(registration::http::show_invitation))
        .routes(routes!(registration::http::register))
        .routes(routes!(me::http::me, me::http::update_me))
        .routes(routes!(me::http::unlink_identity))
        .routes(routes!(sign_in::http::list_sessions, sign_in::http::end_other_sessions))
        .routes(routes!(sign_in::http::end_session))
        .routes(routes!(tokens::http::list_personal_tokens, tokens::http::create_personal_token))
        .routes(routes!(tokens::http::revoke_personal_token))
}

/// Organizations and their members.
fn people<C: Collection>() -> C {
    use organizations::{http, invitations, keys, members, sign_in};
    C::empty()
        .routes(routes!(http::list_organizations, http::create_organization))
        .routes(routes!(http::get_organization, http::update_organization))
        .routes(routes!(members::http::update_member, members::http::remove_member))
        .routes(routes!(members::http::create_reset_link))
        .routes(routes!(members::http::hand_over))
        .routes(routes!(invitations::http::list_invitations, invitations::http::create_invitation))
        .routes(routes!(invitations::http::resend_invitation))
        .routes(routes!(invitations::http::revoke_invitation))
        .routes(routes!(keys::http::list_organization_keys, keys::http::create_organization_key))
        .routes(routes!(keys::http::revoke_organization_key))
        .routes(routes!(sign_in::http::get_sign_in_settings))
        .routes(routes!(sign_in::http::check_sign_in))
        .routes(routes!(sign_in::http::get_sign_in_test))
        .routes(routes!(audit::http::list_audit_entries))
        .routes(routes!(sessions::http::defaults::get_agent_caps, sessions::http::defaults::set_agent_caps))
}

fn log_reads<C: Collection>() -> C {
    use logs::http::{correlation, export, overview, search, tail};
    C::empty()
        .routes(routes!(search::list_logs))
        .routes(routes!(search::get_log_context))
        .routes(routes!(overview::get_log_histogram))
        .routes(routes!(overview::list_log_templates))
        .routes(routes!(overview::list_log_fields))
        .routes(routes!(tail::tail_logs))
        .routes(routes!(export::export_logs))
        .routes(routes!(correlation::list_event_logs))
        .routes(routes!(correlation::list_trace_errors))
}

fn told<C: Collection>() -> C {
    use notifications::http::{self, announcements, preferences, stream};
    C::empty()
        .routes(routes!(http::list_notifications))
        .routes(routes!(http::count_unread))
        .routes(routes!(http::mark_read))
        .routes(routes!(http::mark_all_read))
        .routes(routes!(http::archive_notification))
        .routes(routes!(preferences::list_preferences, preferences::update_preference))
        .routes(routes!(preferences::choose_weekly_report))
        .routes(routes!(preferences::show_unsubscribe, preferences::unsubscribe))
        .routes(routes!(announcements::announce))
        .routes(routes!(stream::stream_notifications))
}

fn alerting<C: Collection>() -> C {
    use alerts::http::{self, channels, rules};
    C::empty()
        .routes(routes!(channels::list_alert_channels, channels::create_alert_channel))
        .routes(routes!(channels::update_alert_channel, channels::delete_alert_channel))
        .routes(routes!(channels::test_alert_channel))
        .routes(routes!(rules::list_alert_rules, rules::create_alert_rule))
        .routes(routes!(rules::update_alert_rule, rules::delete_alert_rule))
        .routes(routes!(rules::preview_alert_rule))
        .routes(routes!(http::list_alert_deliveries))
}

/// Connections to a code host, a chat and trackers, and the tickets of issues.
fn connecting<C: Collection>() -> C {
    use connections::http::{self, install};
    C::empty()
        .routes(routes!(http::list_connections, http::create_connection))
        .routes(routes!(http::update_connection, http::delete_connection))
        .routes(routes!(http::check_connection))
        .routes(routes!(http::list_destinations))
        .routes(routes!(http::list_host_repositories))
        .routes(routes!(install::begin_install))
        .routes(routes!(install::finish_install))
        .routes(routes!(tickets::http::list_tickets, tickets::http::create_ticket))
        .routes(routes!(tickets::http::attach_ticket))
        .routes(routes!(tickets::http::check_ticket))
        .routes(routes!(tickets::http::delete_ticket))
        .routes(routes!(tickets::http::share_issue))
}

/// The platform API: agents, automations, repositories and runners.
fn platform<C: Collection>() -> C {
    use repositories::http as repos;
    C::empty()
        .routes(routes!(automations::http::list_automations, automations::http::create_automation))
        .routes(routes!(
            automations::http::get_automation,
            automations::http::update_automation,
            automations::http::delete_automation
        ))
        .routes(routes!(automations::http::list_automation_events))
        .routes(routes!(automations::http::triggers::create_trigger))
        .routes(routes!(
            automations::http::triggers::update_trigger,
            automations::http::triggers::delete_trigger
        ))
        .routes(routes!(automations::http::run::run_automation))
        .routes(routes!(automations::http::run::get_automations_summary))
        .routes(routes!(automations::http::triggers::get_next_runs))
        .routes(routes!(repos::list_repositories, repos::create_repository))
        .routes(routes!(repos::get_repository, repos::update_repository, repos::delete_repository))
        .routes(routes!(repos::list_prebuilds))
        .routes(routes!(repos::get_prebuild))
        .routes(routes!(sessions::http::list_agent_sessions, sessions::http::create_session))
        .routes(routes!(
            sessions::http::get_session,
            sessions::http::update_session,
            sessions::http::delete_session
        ))
        .routes(routes!(sessions::http::release::release_session))
        .routes(routes!(sessions::http::proceed::continue_session))
        .routes(routes!(sessions::http::record::get_session_record))
        .routes(routes!(sessions::http::messages::list_messages, sessions::http::messages::create_message))
        .routes(routes!(sessions::http::stream::stream_session))
        .routes(routes!(runners::http::list_runners, runners::http::create_runner))
        .routes(routes!(runners::http::get_runner, runners::http::delete_runner))
        .routes(routes!(runners::http::protocol::claim_session))
        .routes(routes!(runners::http::protocol::renew_lease))
        .routes(routes!(runners::http::protocol::add_output))
        .routes(routes!(runners::http::protocol::finish_session))
        .routes(routes!(runners::http::protocol::report_mirror))
}

/// Called by models.
fn models<C: Collection>() -> C {
    C::empty()
        .routes(routes!(mcp::http::call_mcp))
        .routes(routes!(mcp::http::get_resource_metadata))
        .routes(routes!(mcp::http::get_mcp_metadata))
}

/// Calls that are authenticated by a signature.
fn inbound<C: Collection>() -> C {
    C::empty().routes(routes!(automations::http::inbound::call_webhook))
}

/// Called by our pages, by tools and by CI.
fn dashboard<C: Collection>() -> C {
    C::empty()
        .merge(signing_in())
        .merge(people())
        .routes(routes!(projects::http::list_projects, projects::http::create_project))
        .routes(routes!(
            projects::http::get_project,
            projects::http::update_project,
            projects::http::delete_project
        ))
        .routes(routes!(projects::http::get_limits))
        .routes(routes!(projects::http::list_keys, projects::http::create_key))
        .routes(routes!(projects::http::revoke_key))
        .routes(routes!(set_aside::http::list_set_aside, set_aside::http::delete_all_set_aside))
        .routes(routes!(set_aside::http::get_set_aside, set_aside::http::delete_set_aside))
        .routes(routes!(set_aside::http::retry_set_aside))
        .routes(routes!(releases::http::upload_source_map))
        .routes(routes!(releases::bundle::http::upload_bundle))
        .routes(routes!(releases::bundle::http::list_missing_contents))
        .routes(routes!(releases::dashboard::http::explain::explain_stack))
        .routes(routes!(releases::http::create_release))
        .routes(routes!(releases::http::finalize_release))
        .routes(routes!(releases::dashboard::http::list_releases))
        .routes(routes!(releases::dashboard::http::get_release, releases::dashboard::http::delete_release))
        .routes(routes!(releases::dashboard::http::list_source_maps))
        .routes(routes!(releases::styles::http::get_style_sheet))
        .routes(routes!(releases::dashboard::http::get_release_trend))
        .routes(routes!(releases::compare::http::compare_releases))
        .routes(routes!(
            releases::deploys::http::create_deploy,
            releases::deploys::http::list_deploys_of_release
        ))
        .routes(routes!(releases::deploys::http::list_deploys))
        .routes(routes!(releases::dashboard::http::list_unresolved_frames))
        .routes(routes!(issues::http::list_issues, issues::http::update_issues))
        .routes(routes!(issues::http::get_issue, issues::http::update_issue, issues::http::delete_issue))
        .routes(routes!(issues::views::http::list_views, issues::views::http::create_view))
        .routes(routes!(issues::views::http::update_view, issues::views::http::delete_view))
        .routes(routes!(issues::http::events::list_issue_events))
        .routes(routes!(issues::http::list_issue_tags))
        .routes(routes!(issues::http::get_issue_trend))
        .routes(routes!(releases::commits::http::list_suspect_commits))
        .routes(routes!(issues::http::get_project_trend))
        .routes(routes!(issues::http::environments::list_environments))
        .routes(routes!(events::http::get_issue_event))
        .routes(routes!(issues::activity::http::list_issue_activity))
        .routes(routes!(issues::activity::http::list_comments, issues::activity::http::create_comment))
        .routes(routes!(issues::activity::http::delete_comment))
        .routes(routes!(sessions::http::runs::list_issue_runs))
        .routes(routes!(events::http::get_event))
        .routes(routes!(live::http::stream_changes))
        .merge(log_reads())
        .routes(routes!(replays::http::list_replays))
        .routes(routes!(replays::http::list_replay_environments))
        .routes(routes!(replays::http::get_replay, replays::http::delete_replay))
        .routes(routes!(replays::http::events::list_replay_events))
        .routes(routes!(replays::http::get_event_replay))
        .routes(routes!(overview::http::get_instance))
        .routes(routes!(usage::http::get_instance_usage))
        .routes(routes!(usage::http::get_project_usage))
        .routes(routes!(retention::http::get_instance_retention))
        .routes(routes!(retention::http::preview_instance_retention))
        .routes(routes!(retention::http::get_project_retention))
        .routes(routes!(retention::http::preview_project_retention))
        .routes(routes!(backup::http::list_backups))
        .merge(told())
        .merge(alerting())
        .merge(connecting())
        .routes(routes!(instance::health))
        .routes(routes!(instance::meta))
        .routes(routes!(updater::http::find_manifest))
        .routes(routes!(instance::openapi_document))
}

/// What the routes declare about themselves.
fn described() -> utoipa::openapi::OpenApi {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(dashboard())
        .merge(platform())
        .merge(models())
        .merge(inbound())
        .merge(ingestion())
        .into_openapi()
}

/// For the operator's own tools: not part of the API, and absent unless a token is set.
fn metrics(app: &Shared) -> Router<Shared> {
    if app.people.config.metrics_token.is_none() {
        return Router::new();
    }
    Router::new().route("/metrics", get(metrics::http::scrape))
}

/// The whole service.
pub fn router(app: Shared) -> Router {
    // Inside CORS: a preflight is an OPTIONS request, which no route handles but CORS answers.
    let ingestion = shaped(ingestion(), Shape::Detail, method_not_allowed);
    let guarded = |routes: Router<Shared>| {
        routes
            .method_not_allowed_fallback(method_not_allowed)
            .layer(from_fn_with_state(app.origins(), layers::origin_rule))
    };
    let platform =
        shaped(guarded(platform()), Shape::Platform, method_not_allowed).layer(from_fn(quota::quota_headers));
    let models = shaped(guarded(models()), Shape::Detail, method_not_allowed)
        .layer(from_fn_with_state(app.clone(), mcp::http::challenge));
    let dashboard = shaped(guarded(dashboard()), Shape::Detail, method_not_allowed)
        .merge(platform)
        .merge(models)
        .layer(layers::compression())
        .layer(layers::dashboard_cors(&app.origins()));
    let inbound = shaped(inbound(), Shape::Platform, method_not_allowed);
    let metrics = shaped(metrics(&app), Shape::Detail, method_not_allowed);
    let routes = ingestion.layer(layers::open_cors()).merge(dashboard).merge(inbound).merge(metrics);
    let routes = routes
        .fallback(web_app::http::serve)
        // Each reader of a body has its own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(shape::on_panic))
        .layer(from_fn(layers::readable_path))
        // For responses outside of all groups: a path without a route, or a panic in a layer.
        .layer(from_fn(shape::by_path))
        .layer(from_fn_with_state(app.origins(), layers::security_headers));
    let routes = routes.layer(from_fn(layers::log));
    // Outermost, so that the answer to a panic is counted, too.
    let routes = match app.people.config.metrics_token {
        Some(_) => routes.layer(from_fn_with_state(app.clone(), metrics::http::count)),
        None => routes,
    };
    routes.with_state(app)
}

#[cfg(test)]
mod tests;
