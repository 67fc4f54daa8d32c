//! `exception`: type, message, stack text, sent frames, and its cause.

use super::fields::Fields;
use super::limits;
use crate::error::{Error, Result};
use crate::event::accepted::{Exception, FrameVars, Mechanism, SentFrame};
use crate::text;
use crate::wire::json::Json;
use std::borrow::Cow;

/// Takes the exception of an event, if it has one.
pub(super) fn take<'a>(fields: &mut Fields, tree: &mut Json<'a>) -> Result<Option<Exception<'a>>> {
    let Some(given) = fields.optional_object(tree, "", "exception")? else { return Ok(None) };
    let mut exception = exception(fields, given, "exception.", 0)?;
    let mut left = limits::VARS_BYTES;
    fit_vars(fields, &mut exception, "exception", &mut left);
    let says_nothing = exception.kind.is_none()
        && exception.message.is_none()
        && exception.stack.is_none()
        && exception.frames.is_empty();
    if says_nothing {
        return Err(Error::invalid(
            "exception: expected at least one of `type`, `message`, `stack` and `frames`",
        ));
    }
    Ok(Some(exception))
}

fn exception<'a>(
    fields: &mut Fields,
    mut tree: Json<'a>,
    prefix: &str,
    depth: usize,
) -> Result<Exception<'a>> {
    let (frames, vars) = frames(fields, &mut tree, prefix)?;
    Ok(Exception {
        kind: fields.text(&mut tree, prefix, "type", limits::EXCEPTION_TYPE)?.filter(|kind| !kind.is_empty()),
        message: fields.text(&mut tree, prefix, "message", limits::MESSAGE)?,
        stack: fields.text(&mut tree, prefix, "stack", limits::STACK)?.filter(|stack| !stack.is_empty()),
        frames,
        vars,
        mechanism: mechanism(fields, &mut tree, prefix)?,
        cause: cause(fields, &mut tree, prefix, depth)?,
    })
}

fn cause<'a>(
    fields: &mut Fields,
    tree: &mut Json<'a>,
    prefix: &str,
    depth: usize,
) -> Result<Option<Box<Exception<'a>>>> {
    let Some(cause) = fields.optional_object(tree, prefix, "cause")? else { return Ok(None) };
    let path = format!("{prefix}cause");
    if depth == limits::CAUSES {
        fields.cut(&path);
        return Ok(None);
    }
    Ok(Some(Box::new(exception(fields, cause, &format!("{path}."), depth + 1)?)))
}

fn mechanism<'a>(fields: &mut Fields, tree: &mut Json<'a>, prefix: &str) -> Result<Option<Mechanism<'a>>> {
    let Some(mut mechanism) = fields.optional_object(tree, prefix, "mechanism")? else { return Ok(None) };
    let prefix = format!("{prefix}mechanism.");
    Ok(Some(Mechanism {
        kind: fields.text(&mut mechanism, &prefix, "type", limits::NAME)?,
        handled: fields.flag(&mut mechanism, &prefix, "handled")?,
    }))
}

/// Cuts what variables held to its limits: those of a cause take precedence over those of what it led to, since people
/// read the root cause first.
fn fit_vars(fields: &mut Fields, exception: &mut Exception<'_>, path: &str, left: &mut usize) {
    if let Some(cause) = exception.cause.as_deref_mut() {
        fit_vars(fields, cause, &format!("{path}.cause"), left);
    }
    for FrameVars { frame, vars } in &mut exception.vars {
        let given = limits::FRAME_VARS_BYTES.min(*left);
        let mut room = given;
        *vars = fields.fit(std::mem::take(vars), format_args!("{path}.frames[{frame}].vars"), &mut room);
        *left -= given - room;
    }
    exception.vars.retain(|one| !one.vars.is_empty());
}

type Frames<'a> = (Vec<SentFrame<'a>>, Vec<FrameVars<'a>>);

/// The innermost 250 with what their variables held; frames are ordered throw first.
fn frames<'a>(fields: &mut Fields, tree: &mut Json<'a>, prefix: &str) -> Result<Frames<'a>> {
    let given = fields.array(tree, prefix, "frames")?;
    let path = format!("{prefix}frames");
    if given.len() > limits::FRAMES {
        fields.cut(&path);
    }
    let (mut frames, mut vars) = (Vec::new(), Vec::new());
    for (index, given) in given.into_iter().take(limits::FRAMES).enumerate() {
        let path = format!("{path}[{index}]");
        let mut tree = fields.expect_object(given, &path)?;
        let prefix = format!("{path}.");
        let held = fields.optional_object(&mut tree, &prefix, "vars")?;
        vars.extend(held.map(|vars| FrameVars { frame: index, vars }));
        frames.push(frame(fields, tree, &prefix)?);
    }
    Ok((frames, vars))
}

fn frame<'a>(fields: &mut Fields, mut tree: Json<'a>, prefix: &str) -> Result<SentFrame<'a>> {
    let absolute = fields.text(&mut tree, prefix, "abs_path", limits::URL)?;
    let filename = fields.text(&mut tree, prefix, "filename", limits::URL)?;
    let mut pre_context = lines(fields, &mut tree, prefix, "pre_context")?;
    // Keeps the lines nearest the frame's own.
    pre_context.drain(..pre_context.len().saturating_sub(limits::CONTEXT_LINES));
    let mut post_context = lines(fields, &mut tree, prefix, "post_context")?;
    post_context.truncate(limits::CONTEXT_LINES);
    Ok(SentFrame {
        function: fields.text(&mut tree, prefix, "function", limits::FUNCTION)?,
        url: absolute.or(filename),
        module: fields.text(&mut tree, prefix, "module", limits::FUNCTION)?,
        line: fields.position(&mut tree, prefix, "lineno")?,
        column: fields.position(&mut tree, prefix, "colno")?,
        in_app: fields.flag(&mut tree, prefix, "in_app")?,
        pre_context,
        context_line: fields.text(&mut tree, prefix, "context_line", usize::MAX)?.map(source_line),
        post_context,
    })
}

fn lines<'a>(
    fields: &mut Fields,
    tree: &mut Json<'a>,
    prefix: &str,
    name: &str,
) -> Result<Vec<Cow<'a, str>>> {
    let given = fields.array(tree, prefix, name)?;
    let path = format!("{prefix}{name}");
    given.into_iter().map(|line| Ok(source_line(fields.scalar_text(line, &path)?))).collect()
}

fn source_line(line: Cow<'_, str>) -> Cow<'_, str> {
    text::clip(line, limits::SOURCE_LINE).0
}
