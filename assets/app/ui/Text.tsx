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

/** Somebody's text with its line breaks. */
export function Prose({ text }: { text: string }) {
  return <bdi style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{visible(text)}</bdi>;
}
