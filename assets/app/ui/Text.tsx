import { oneLine, visible } from "./visible.ts";

/** Text from outside on one line: with its own direction, cut with an ellipsis, complete on hover. */
export function Line({ text, mono = false }: { text: string; mono?: boolean }) {
  const shown = oneLine(text);
  // A tooltip of megabytes would freeze the page.
  const title = shown.length > 2_000 ? `${shown.slice(0, 2_000)}…` : shown;
  return (
    <bdi className={mono ? "cut mono" : "cut"} title={title}>
      {shown.length > 600 ? `${shown.slice(0, 600)}…` : shown}
    </bdi>
  );
}

/** A sentence of the app or the server, with code in backticks. */
export function Sentence({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/).map(visible);
  return (
    <bdi style={{ overflowWrap: "anywhere" }}>
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </bdi>
  );
}

/** Text from outside with its line breaks. */
export function Prose({ text }: { text: string }) {
  return <bdi style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{visible(text)}</bdi>;
}
