import { oneLine, visible } from "./visible.ts";

/** One line of somebody's text: isolated in its direction, cut with an ellipsis, whole on hover. */
export function Line({ text, mono = false }: { text: string; mono?: boolean }) {
  const shown = oneLine(text);
  // A tool tip of megabytes would freeze the page.
  const title = shown.length > 2_000 ? `${shown.slice(0, 2_000)}…` : shown;
  return (
    <bdi className={mono ? "cut mono" : "cut"} title={title}>
      {shown.length > 600 ? `${shown.slice(0, 600)}…` : shown}
    </bdi>
  );
}

/** A sentence of ours or the server's, in which backticks mark code. */
export function Sentence({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/).map(visible);
  return (
    <bdi style={{ overflowWrap: "anywhere" }}>
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </bdi>
  );
}

/** Somebody's text with its line breaks. */
export function Prose({ text }: { text: string }) {
  return <bdi style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{visible(text)}</bdi>;
}
