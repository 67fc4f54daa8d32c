// A transcript as it is shown: output that belongs together is one block.

import type { MessageRole, SessionMessage } from "../../api/schema.d.ts";

export interface Block {
  /** The id of its first entry. */
  id: number;
  role: MessageRole;
  isError: boolean;
  text: string;
  at: string;
}

/** The most characters of a block. */
const most = 8_000;

/** Adds entries to blocks; blocks that do not change stay the same objects. */
export function withMessages(blocks: readonly Block[], messages: readonly SessionMessage[]): Block[] {
  const all = [...blocks];
  for (const message of messages) {
    const next = blockOf(message);
    const last = all.at(-1);
    if (last && continues(last, next)) {
      const gap = last.text.endsWith("\n") || last.text === "" ? "" : "\n";
      all[all.length - 1] = { ...last, text: last.text + gap + next.text };
    } else {
      all.push(next);
    }
  }
  return all;
}

const blockOf = ({ id, role, stream, content, created_at }: SessionMessage): Block => ({
  id,
  role,
  isError: stream === "stderr",
  text: content,
  at: created_at,
});

/** Each call of a tool, and what it answered, stands alone. */
const continues = (last: Block, next: Block): boolean =>
  next.role !== "user" &&
  next.role !== "tool" &&
  last.role === next.role &&
  last.isError === next.isError &&
  last.text.length + next.text.length <= most;

export const filters = ["all", "words", "commands", "errors"] as const;
export type Filter = (typeof filters)[number];

/** Whether a filter shows a block: what was said, what tools did, or what came as error output. */
export function fits(filter: Filter, { role, isError }: Pick<Block, "role" | "isError">): boolean {
  if (filter === "words") return !isError && (role === "agent" || role === "user");
  if (filter === "commands") return role === "tool";
  return filter === "all" || isError;
}

/** What is said where a filter shows nothing. */
export function emptyWords(filter: Filter, ended: boolean): string {
  if (filter === "errors") return "No error output.";
  const yet = ended ? "" : " yet";
  if (filter === "words") return `Nothing was said${yet}.`;
  if (filter === "commands") return `No tool was used${yet}.`;
  return ended ? "Nothing was written." : "What the agent writes appears here.";
}

/** An entry's part of the address, after `#`. */
export const entryHash = (id: number): string => `entry-${id}`;

/** The entry that an address names. */
export function entryIn(hash: string): number | undefined {
  const [, id] = /^entry-(\d{1,15})$/.exec(hash) ?? [];
  return id === undefined ? undefined : Number(id);
}
