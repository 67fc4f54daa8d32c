//! Every route in one list.

pub mod document;

use crate::http::fallback::method_not_allowed;
use crate::http::layers;
use crate::http::shape::{self, Shape, shaped};
use crate::instance::http as instance;
use crate::routes::document::Document;
use crate::state::Shared;
use crate::web_app;
use crate::{
    accounts, audit, events, intake, issues, live, logs, metrics, organizations, projects, releases,
    set_aside,
};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Called by any page, with the key in the body.
fn ingestion() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(intake::http::post_error))
        .routes(routes!(intake::http::post_errors))
        .routes(routes!(logs::http::ingest::post_logs))
}

/// The claim, sign-in, and what belongs to one person.
fn signing_in() -> OpenApiRouter<Shared> {
    use accounts::{flows, http, login, me, registration, sign_in, tokens};
    OpenApiRouter::new()
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
fn people() -> OpenApiRouter<Shared> {
    use organizations::{http, invitations, keys, members, sign_in};
    OpenApiRouter::new()
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
}

fn log_reads() -> OpenApiRouter<Shared> {
    use logs::http::{correlation, export, overview, search, tail};
    OpenApiRouter::new()
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

/// Called by our pages, by tools and by CI.
fn dashboard() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Document::openapi())
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
        .routes(routes!(releases::http::create_release))
        .routes(routes!(releases::http::finalize_release))
        .routes(routes!(releases::dashboard::http::list_releases))
        .routes(routes!(releases::dashboard::http::get_release, releases::dashboard::http::delete_release))
        .routes(routes!(releases::dashboard::http::list_source_maps))
        .routes(routes!(releases::dashboard::http::list_unresolved_frames))
        .routes(routes!(issues::http::list_issues, issues::http::update_issues))
        .routes(routes!(issues::http::get_issue, issues::http::update_issue, issues::http::delete_issue))
        .routes(routes!(issues::http::events::list_issue_events))
        .routes(routes!(issues::http::list_issue_tags))
        .routes(routes!(issues::http::get_issue_trend))
        .routes(routes!(issues::http::get_project_trend))
        .routes(routes!(events::http::get_issue_event))
        .routes(routes!(issues::activity::http::list_issue_activity))
        .routes(routes!(issues::activity::http::list_comments, issues::activity::http::create_comment))
        .routes(routes!(issues::activity::http::delete_comment))
        .routes(routes!(events::http::get_event))
        .routes(routes!(live::http::stream_changes))
        .merge(log_reads())
        .routes(routes!(instance::health))
        .routes(routes!(instance::meta))
        .routes(routes!(instance::openapi_document))
}

/// What the routes declare about themselves.
fn described() -> utoipa::openapi::OpenApi {
    let (_, mut document) = dashboard().split_for_parts();
    document.merge(ingestion().split_for_parts().1);
    document
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
    let (ingestion, _) = ingestion().split_for_parts();
    let (dashboard, _) = dashboard().split_for_parts();
    // Inside CORS: a preflight is an OPTIONS request, which no route handles but CORS answers.
    let ingestion = shaped(ingestion, Shape::Detail, method_not_allowed);
    let dashboard = dashboard
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn_with_state(app.origins(), layers::origin_rule));
    let dashboard = shaped(dashboard, Shape::Detail, method_not_allowed)
        .layer(layers::compression())
        .layer(layers::dashboard_cors(&app.origins()));
    let metrics = shaped(metrics(&app), Shape::Detail, method_not_allowed);
    let routes = ingestion.layer(layers::open_cors()).merge(dashboard).merge(metrics);
    let routes = routes
        .fallback(web_app::http::serve)
        // Each reader of a body has its own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(shape::on_panic))
        .layer(from_fn(layers::readable_path))
        // For what no group answered: a path without a route, or a panic in a layer.
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
