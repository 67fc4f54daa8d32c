//! `debug_meta`: the debug ids of scripts, as Sentry's clients send them, too.

use super::fields::Fields;
use super::limits;
use crate::error::Result;
use crate::event::DebugId;
use crate::event::accepted::DebugImage;
use crate::wire::json::Json;

/// The scripts with an id. Images of other types, and those whose id is no UUID, say nothing about source maps.
pub(super) fn images<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Vec<DebugImage<'a>>> {
    let Some(mut meta) = fields.optional_object(tree, "", "debug_meta")? else { return Ok(Vec::new()) };
    let given = fields.array(&mut meta, "debug_meta.", "images")?;
    let mut images = Vec::new();
    for (index, image) in given.into_iter().enumerate() {
        let mut image = fields.expect_object(image, format_args!("debug_meta.images[{index}]"))?;
        let prefix = format_args!("debug_meta.images[{index}].");
        let kind = fields.text(&mut image, prefix, "type", limits::NAME)?;
        let code_file = fields.text(&mut image, prefix, "code_file", limits::URL)?;
        let id = fields.text(&mut image, prefix, "debug_id", limits::ID)?;
        let id = id.as_deref().and_then(DebugId::parse);
        if let (None | Some("sourcemap"), Some(code_file), Some(debug_id)) = (kind.as_deref(), code_file, id)
        {
            if images.len() == limits::DEBUG_IMAGES {
                fields.cut("debug_meta.images");
                break;
            }
            images.push(DebugImage { code_file, debug_id });
        }
    }
    Ok(images)
}
