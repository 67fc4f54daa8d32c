//! `/mcp`, and the OAuth metadata that describes it.

mod calls;
mod message;
mod server;

use crate::access::{Callers, ToolCaller};
use crate::context::service::ContextService;
use crate::error::{Error, Result};
use crate::http::body::{self, Share};
use crate::http::extract::require_json;
use crate::http::layers::Origins;
use crate::issues::service::IssueService;
use axum::Json as Answer;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// Bytes of a message.
pub const MESSAGE_MAX: usize = 1 << 20;
/// The time limit of a call.
const CALL_TIME: Duration = Duration::from_secs(30);
/// The path of the metadata: RFC 9728 appends the resource's path to the well-known one.
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

/// What the tools need.
#[derive(Clone)]
pub struct McpState {
    pub callers: Arc<Callers>,
    pub issues: IssueService,
    pub context: ContextService,
    pub origins: Origins,
}

/// A message of JSON-RPC 2.0.
#[derive(ToSchema)]
#[schema(as = McpMessage)]
#[expect(dead_code, reason = "describes the messages, which `rmcp` reads and writes")]
pub struct Message {
    #[schema(example = "2.0")]
    jsonrpc: String,
    /// A number or text; without one it is a notification, which is answered 202.
    #[schema(value_type = Value, required = false)]
    id: Option<Value>,
    /// Such as `tools/list` and `tools/call`.
    #[schema(nullable = false)]
    method: Option<String>,
    #[schema(value_type = Value, required = false)]
    params: Option<Value>,
    #[schema(value_type = Value, required = false)]
    result: Option<Value>,
    #[schema(value_type = Value, required = false)]
    error: Option<Value>,
}

/// The Model Context Protocol (streamable HTTP, no sessions): one JSON-RPC message, answered with one. Tools that change
/// something need a person's token with the scope `write`.
#[utoipa::path(post, path = "/mcp", tag = "mcp",
    extensions(("x-access" = json!(ToolCaller::needs()))), request_body = Message,
    responses((status = 200, body = Message), (status = 202, description = "A notification"),
        (status = 400, body = Message, description = "Not a message, or of an unknown version of the protocol"),
        (status = 404, body = Message, description = "No such method"),
        (status = 406, body = Message, description = "The caller does not accept application/json")))]
pub async fn call_mcp(
    State(state): State<McpState>,
    ToolCaller(caller): ToolCaller,
    request: Request,
) -> Result<Response> {
    let (parts, body) = request.into_parts();
    check_origin(&state.origins, parts.headers.get(header::ORIGIN))?;
    require_json(&parts.headers)?;
    let bytes = body::read(&parts.headers, body, MESSAGE_MAX, |_| Share::of_strangers()).await?;
    if let Err(refused) = message::check(&parts.headers, &bytes) {
        return Ok(refused.into_response());
    }
    let answer = tokio::time::timeout(CALL_TIME, server::answer(state, caller, parts, bytes)).await;
    answer.map_err(|_| {
        Error::overloaded("The call took longer than 30 seconds. Narrow the request, or try again.")
    })?
}

/// A page of another site must not use the browser of somebody on the server's network.
fn check_origin(origins: &Origins, given: Option<&HeaderValue>) -> Result<()> {
    let Some(given) = given else { return Ok(()) };
    if origins.allowed.iter().any(|allowed| allowed.as_str().as_bytes() == given.as_bytes()) {
        return Ok(());
    }
    Err(Error::forbidden(
        "This request comes from another site and was refused. Send it from no page at all, or from one of this instance.",
    ))
}

/// What RFC 9728 says of a resource.
#[derive(Serialize, ToSchema)]
#[schema(as = McpMetadata)]
pub struct Metadata {
    /// The address of the MCP server.
    pub resource: String,
    pub resource_name: &'static str,
    /// Always `header`: `Authorization: Bearer`. There is no authorization server: people make tokens in the Web app.
    pub bearer_methods_supported: [&'static str; 1],
    pub scopes_supported: [&'static str; 2],
}

fn metadata(state: &McpState) -> Metadata {
    Metadata {
        resource: format!("{}/mcp", state.context.addresses.api),
        resource_name: "Mayday",
        bearer_methods_supported: ["header"],
        scopes_supported: ["read", "write"],
    }
}

/// Says how `/mcp` is called.
#[utoipa::path(get, path = "/.well-known/oauth-protected-resource", tag = "mcp", security(()),
    responses((status = 200, body = Metadata)))]
pub async fn get_resource_metadata(State(state): State<McpState>) -> Answer<Metadata> {
    Answer(metadata(&state))
}

/// The same, where a client looks that knows the path.
#[utoipa::path(get, path = "/.well-known/oauth-protected-resource/mcp", tag = "mcp", security(()),
    responses((status = 200, body = Metadata)))]
pub async fn get_mcp_metadata(State(state): State<McpState>) -> Answer<Metadata> {
    Answer(metadata(&state))
}

/// Adds the metadata's address to each refusal for a missing token, and prevents caching of answers.
pub(crate) async fn challenge(State(state): State<McpState>, request: Request, next: Next) -> Response {
    let is_private = request.uri().path() == "/mcp";
    let mut response = next.run(request).await;
    if response.status() == StatusCode::UNAUTHORIZED {
        let text = format!("Bearer resource_metadata=\"{}{METADATA}\"", state.context.addresses.api);
        if let Ok(value) = HeaderValue::from_str(&text) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
        }
    }
    if is_private {
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(no_store);
    }
    response
}
