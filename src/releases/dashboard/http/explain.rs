//! `POST /api/v1/sourcemaps/explain`.

use crate::access::ReleaseKey;
use crate::digest::resolve::Resolver;
use crate::error::{Error, Result};
use crate::event::DebugId;
use crate::event::accepted::DebugImage;
use crate::events::FrameView;
use crate::events::service::of_text;
use crate::http::extract::Json;
use crate::intake::decode::limits::{FRAMES, STACK};
use crate::releases::check_version;
use crate::releases::service::Maps;
use crate::store::Main;
use axum::Json as Answer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Bytes of a request: every stack of the length allowed, with its debug ids, however JSON writes it.
const EXPLAIN_MAX: usize = 3 << 20;

/// A stack to explain.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ExplainStack {
    /// As the error names it.
    release: Option<String>,
    /// The stack's text, as the engine printed it; up to 262,144 characters.
    stack: String,
    debug_meta: Option<DebugMeta>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct DebugMeta {
    /// At most 250.
    images: Vec<Image>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Image {
    /// The script's address as it appears in the stack.
    code_file: String,
    /// A UUID.
    #[schema(value_type = String)]
    debug_id: DebugId,
}

/// A stack's frames, as an event would have them.
#[derive(Serialize, ToSchema)]
pub struct ExplainedStack {
    /// Throw first.
    frames: Vec<FrameView>,
}

/// Resolves the frames of a stack as in an event, and says for each that does not resolve which rule failed, what was
/// looked for, which source maps come closest, and which command mends it. Stores nothing.
#[utoipa::path(post, path = "/api/v1/sourcemaps/explain", tag = "releases", security(("key" = [])),
    extensions(("x-access" = json!(ReleaseKey::needs()))), request_body = ExplainStack,
    responses((status = 200, body = ExplainedStack)))]
pub async fn explain_stack(
    State(main): State<Main>,
    State(maps): State<Arc<Maps>>,
    ReleaseKey(key): ReleaseKey,
    Json(body): Json<ExplainStack, EXPLAIN_MAX>,
) -> Result<Answer<ExplainedStack>> {
    let ExplainStack { release, stack, debug_meta } = body;
    release.as_deref().map(|version| check_version("release", version)).transpose()?;
    let length = stack.chars().count();
    if length > STACK {
        return Err(Error::invalid(format!("stack: expected at most {STACK} characters, got {length}")));
    }
    let images = debug_meta.map(|meta| meta.images).unwrap_or_default();
    if images.len() > FRAMES {
        let got = images.len();
        return Err(Error::invalid(format!("debug_meta.images: expected at most {FRAMES}, got {got}")));
    }
    let images = images
        .into_iter()
        .map(|image| DebugImage { code_file: image.code_file.into(), debug_id: image.debug_id });
    let images: Vec<DebugImage<'static>> = images.collect();
    let read = main.read(move |c| {
        of_text(c, &mut Resolver::new(maps), key.project, release.as_deref(), &stack, &images)
    });
    Ok(Answer(ExplainedStack { frames: read.await? }))
}
