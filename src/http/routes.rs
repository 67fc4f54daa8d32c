//! Every route in one list, and the document that describes them.

use super::{assets, layers, system};
use crate::app::App;
use crate::{accounts, events, intake, issues, organizations, projects, releases};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi as _;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, Ref, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Mayday", description = "Error monitoring and agent automation. Errors answer `{\"detail\": string}`.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")),
    security(("session" = []), ("cookie" = [])),
    modifiers(&Security),
    components(schemas(Problem)),
    tags(
        (name = "ingestion", description = "From client libraries; the project key is in the body."),
        (name = "releases", description = "From CI with `Authorization: Bearer <project key>`, and the dashboard's reads."),
        (name = "issues"), (name = "events"), (name = "projects"), (name = "organizations"), (name = "sign-in"),
        (name = "server")
    )
)]
struct Document;

struct Security;

impl utoipa::Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_with(Default::default);
        let bearer = |text: &str| {
            let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build();
            SecurityScheme::Http(scheme)
        };
        components.add_security_scheme("session", bearer("The `access_token` of a sign-in."));
        components.add_security_scheme("key", bearer("A project key with the scope `releases`."));
        let cookie = ApiKey::Cookie(ApiKeyValue::new("mayday_session"));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}

/// Called by anybody's pages, the key in the body.
fn ingestion() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(intake::http::post_error)).routes(routes!(intake::http::post_errors))
}

/// Called by our pages, by tools and by CI.
fn dashboard() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(accounts::http::set_up))
        .routes(routes!(accounts::http::log_in))
        .routes(routes!(accounts::http::log_out))
        .routes(routes!(accounts::http::me))
        .routes(routes!(organizations::http::list_organizations))
        .routes(routes!(organizations::http::get_organization))
        .routes(routes!(projects::http::list_projects, projects::http::create_project))
        .routes(routes!(
            projects::http::get_project,
            projects::http::update_project,
            projects::http::delete_project
        ))
        .routes(routes!(projects::http::list_keys, projects::http::create_key))
        .routes(routes!(projects::http::revoke_key))
        .routes(routes!(releases::http::upload_source_map))
        .routes(routes!(releases::http::create_release))
        .routes(routes!(releases::http::finalize_release))
        .routes(routes!(releases::http::list_releases))
        .routes(routes!(releases::http::get_release, releases::http::delete_release))
        .routes(routes!(releases::http::list_source_maps))
        .routes(routes!(issues::http::list_issues, issues::http::update_issues))
        .routes(routes!(issues::http::get_issue, issues::http::update_issue, issues::http::delete_issue))
        .routes(routes!(issues::http::list_issue_events))
        .routes(routes!(issues::http::list_issue_tags))
        .routes(routes!(events::http::get_event))
        .routes(routes!(system::health))
        .routes(routes!(system::meta))
        .routes(routes!(system::openapi_document))
}

/// The OpenAPI 3.1 document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let (_, mut document) = dashboard().split_for_parts();
    document.merge(ingestion().split_for_parts().1);
    add_refusals(&mut document);
    document
}

/// Every operation may refuse; those that say nothing special of it say the usual.
fn add_refusals(document: &mut utoipa::openapi::OpenApi) {
    for path in document.paths.paths.values_mut() {
        let operations = [&mut path.get, &mut path.post, &mut path.put, &mut path.patch, &mut path.delete];
        for operation in operations.into_iter().flatten() {
            let open =
                operation.security.as_ref().is_some_and(|schemes| schemes.contains(&Default::default()));
            let mut usual =
                vec![("422", "Something cannot be used: `detail` names it"), ("503", "Overload: send again")];
            if !open {
                usual.extend([("401", "Nobody known is asking"), ("403", "Not for this caller")]);
            }
            for (status, text) in usual {
                let content = Content::new(Some(Ref::from_schema_name("Problem")));
                let response =
                    Response::builder().description(text).content("application/json", content).build();
                operation.responses.responses.entry(status.to_owned()).or_insert_with(|| response.into());
            }
        }
    }
}

/// What every refusal answers.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes what `http/error.rs` writes")]
struct Problem {
    /// What was wrong, what was expected, and what to do.
    detail: String,
}

/// The whole service.
pub fn router(app: Arc<App>) -> Router {
    let (ingestion, _) = ingestion().split_for_parts();
    let (dashboard, _) = dashboard().split_for_parts();
    // Inside of the layers: a preflight is an OPTIONS, which no route takes but CORS answers.
    let ingestion = ingestion.method_not_allowed_fallback(system::method_not_allowed);
    let dashboard = dashboard
        .method_not_allowed_fallback(system::method_not_allowed)
        .layer(from_fn_with_state(app.clone(), layers::origin_rule))
        .layer(layers::dashboard_cors(&app));
    ingestion
        .layer(layers::open_cors())
        .merge(dashboard)
        .fallback(assets::serve)
        // Each reader of a body has its own bound.
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(layers::on_panic))
        .layer(from_fn(layers::readable_path))
        .layer(from_fn(layers::security_headers))
        .with_state(app)
}
