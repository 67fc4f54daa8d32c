const quote = 34;
const backslash = 92;
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);

/** Splits the text of a JSON array that arrives in pieces: returns the text of each object when it is complete. */
export function splitter(): (text: string) => string[] {
  let buffer = "";
  let at = 0;
  /** Where the object begins; -1 between two of them. */
  let start = -1;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return (text) => {
    const found: string[] = [];
    buffer += text;
    for (; at < buffer.length; at += 1) {
      const code = buffer.charCodeAt(at);
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isText = false;
      } else if (code === quote) isText = true;
      else if (opening.has(code)) {
        if (depth === 1) start = at;
        depth += 1;
      } else if (closing.has(code)) {
        depth -= 1;
        if (depth === 1) {
          found.push(buffer.slice(start, at + 1));
          start = -1;
        }
      }
    }
    const from = start < 0 ? at : start;
    buffer = buffer.slice(from);
    at -= from;
    if (start >= 0) start = 0;
    return found;
  };
}
