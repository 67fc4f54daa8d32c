//! The connection to the protocol's crate.

use super::McpState;
use super::calls::Calls;
use super::message::Refusal;
use crate::access::{AuthMethod, Caller};
use crate::accounts::tokens::TokenScope;
use crate::error::{Error, Result};
use crate::mcp::INSTRUCTIONS;
use crate::mcp::answer::ToolResult;
use crate::mcp::arguments::{CheckedArguments, schema};
use crate::mcp::tools::{self, Effect, TOOLS};
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use std::sync::Arc;

/// The crate requires both types, but only sends the first.
const ACCEPT: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Answers one message of a caller.
pub(super) async fn answer(state: McpState, caller: Caller, parts: Parts, body: Bytes) -> Result<Response> {
    let server = Server { state, caller: Arc::new(caller) };
    // The caller and the origin have been checked, so checking `Host` would add nothing.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_retry(None)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(super::MESSAGE_MAX)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let mut request = Request::new(Full::new(body));
    for (name, value) in &parts.headers {
        let is_ours = name == header::CONTENT_TYPE || name.as_str().starts_with("mcp-");
        if is_ours {
            request.headers_mut().append(name, value.clone());
        }
    }
    *request.method_mut() = parts.method;
    request.headers_mut().insert(header::ACCEPT, ACCEPT);
    // The crate requires the header, with any value.
    request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
    shaped(service.handle(request).await.map(Body::new)).await
}

/// Gives refusals that the crate writes as text the format of the others.
async fn shaped(response: Response) -> Result<Response> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let status = response.status();
    if is_json || status.is_success() {
        return Ok(response);
    }
    let body = response.into_body().collect().await.map_err(Error::internal)?.to_bytes();
    let text = String::from_utf8_lossy(&body).into_owned();
    if status.is_server_error() {
        return Err(Error::internal(text));
    }
    let status = if status == StatusCode::NOT_FOUND { status } else { StatusCode::BAD_REQUEST };
    Ok(Refusal { status, code: ErrorCode::INVALID_REQUEST, text }.into_response())
}

/// The server for one caller.
#[derive(Clone)]
struct Server {
    state: McpState,
    caller: Arc<Caller>,
}

impl Server {
    /// Whether the caller may use tools that change something: people, and tokens with the scope for it. The call
    /// itself checks what they may do in a project.
    fn may_write(&self) -> Result<()> {
        match &*self.caller {
            Caller::Person(person) => person.require(TokenScope::Write),
            Caller::Key(_) | Caller::OrganizationKey(_) => Err(Error::forbidden(
                "A key can only read. Use a personal access token with the scope write.",
            )),
        }
    }

    async fn called(&self, tool: &'static tools::Tool, request: CallToolRequestParams) -> Result<ToolResult> {
        if tool.effect != Effect::Reads {
            self.may_write()?;
        }
        let given = CheckedArguments::read(tool.arguments, &request.arguments.unwrap_or_default())?;
        let by_token =
            matches!(&*self.caller, Caller::Person(person) if matches!(person.by, AuthMethod::Token { .. }));
        tracing::debug!(tool = tool.name, by_token, "a tool was called");
        Calls { state: &self.state, caller: &self.caller, given: &given }.run(tool.name).await
    }
}

fn described(tool: &tools::Tool) -> Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(tool.effect == Effect::Reads)
        // In the protocol's sense: anything but adding.
        .destructive(tool.effect == Effect::Sets)
        .idempotent(tool.effect != Effect::Adds)
        .open_world(false);
    Tool::new(tool.name, tool.about, Arc::new(schema(tool.arguments)))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(tool.result.schema()))
        .with_annotations(annotations)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("mayday", crate::version::version()).with_title("Mayday");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let may_write = self.may_write().is_ok();
        let tools = TOOLS.iter().filter(|tool| may_write || tool.effect == Effect::Reads);
        Ok(ListToolsResult::with_all_items(tools.map(described).collect()))
    }

    /// Errors of a call are shown to the model, which can correct them; only an unknown tool is a protocol error.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let name = crate::text::shown(&request.name, 64);
            let text = format!("There is no tool `{name}`. There are {}", names.join(", "));
            return Err(ErrorData::invalid_params(text, None));
        };
        let result = match self.called(tool, request).await {
            Ok(told) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(told.text)]);
                result.structured_content = Some(told.value);
                result
            }
            Err(error) => {
                if let Error::Internal(cause) = &error {
                    tracing::error!(error = %cause, tool = tool.name, "a tool failed");
                }
                CallToolResult::error(vec![ContentBlock::text(error.to_string())])
            }
        };
        Ok(result.into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(described)
    }
}
