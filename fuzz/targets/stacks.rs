//! Stacks of every runtime: from text through frames to the fingerprint.

use super::{blowup, steer};
use mayday::digest::frames;
use mayday::event::accepted::Exception;
use mayday::event::frame::Frame;
use mayday::grouping::{self as group, GroupFrame, Input};
use mayday::symbolication::stack::{self, Flavor, MAX_FRAMES, MAX_FUNCTION, MAX_SOURCE, MAX_URL};

/// The first byte says whether the text's first line is known as the message, and whether the text is
/// repeated to see how the time grows.
pub(crate) fn target(data: &[u8]) {
    let ([head], text) = steer(data);
    let text = String::from_utf8_lossy(text);
    let message = (head & 1 == 1).then(|| text.lines().next().unwrap_or_default());
    parsed(&text, message);
    caused(&text, message);
    grouped(&text, message);
    if head & 0xe0 == 0xe0 {
        blowup::check(&text, |text| parsed(text, message));
        blowup::check(&text, |text| drop(stack::causes(text, message)));
        blowup::check(&text, |text| {
            group::message::normalise(text);
            group::file_name::normalise(text);
            group::function::clean(text);
        });
    }
}

fn parsed(text: &str, message: Option<&str>) {
    let parsed = stack::parse_with_message(text, message);
    assert!(parsed.frames.len() <= MAX_FRAMES, "{} frames", parsed.frames.len());
    assert_eq!(parsed.frames.is_empty(), parsed.platform == Flavor::Unknown);
    for frame in &parsed.frames {
        assert!(frame.function.is_none_or(|name| !name.is_empty() && name.len() <= MAX_FUNCTION));
        assert!(frame.context_line.is_none_or(|line| !line.is_empty() && line.chars().count() <= MAX_SOURCE));
        assert!(frame.url.is_none_or(|url| !url.is_empty() && url.len() <= MAX_URL));
    }
}

/// Causes are parts of the text.
fn caused(text: &str, message: Option<&str>) {
    for cause in stack::causes(text, message) {
        assert!(cause.stack.len() <= text.len() && cause.message.len() <= text.len());
        parsed(cause.stack, Some(cause.message));
    }
}

fn grouped(text: &str, message: Option<&str>) {
    let exception =
        Exception { message: message.map(Into::into), stack: Some(text.into()), ..Exception::default() };
    let frames::ParsedFrames { frames, platform, .. } = frames::of(&exception);
    assert_eq!(platform.is_none(), frames.is_empty());
    let stored = serde_json::to_vec(&frames).unwrap();
    assert_eq!(serde_json::from_slice::<Vec<Frame>>(&stored).unwrap(), frames, "frames come back as stored");
    let for_grouping: Vec<GroupFrame<'_>> = frames.iter().map(GroupFrame::from).collect();
    let input =
        Input { client: &[], exception_type: Some("Error"), message, frames: &for_grouping, causes: &[] };
    let fingerprint = group::fingerprint(&input);
    assert_eq!(fingerprint, group::fingerprint(&input));
    // Lines and columns never count.
    let moved: Vec<Frame> = frames.iter().cloned().map(moved).collect();
    let for_grouping: Vec<GroupFrame<'_>> = moved.iter().map(GroupFrame::from).collect();
    assert_eq!(fingerprint, group::fingerprint(&Input { frames: &for_grouping, ..input }));
    let former = group::former::fingerprint(&input);
    assert_eq!(former, group::former::fingerprint(&input));
    let title = group::title(Some("Error"), message);
    assert!(!title.is_empty() && !title.contains('\n'), "{title:?}");
    group::culprit(&for_grouping);
}

fn moved(frame: Frame) -> Frame {
    Frame { line: frame.line.map(|line| line ^ 1), column: frame.column.map(|column| column ^ 1), ..frame }
}
