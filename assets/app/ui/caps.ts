// The caps of a session as form values; an empty text means no cap.

import type { AgentCaps } from "../api/schema.d.ts";

type Count = number | string;

export interface CapValues extends Record<string, unknown> {
  costUsd: Count;
  tokens: Count;
  /** In millions of bytes. */
  outputMb: Count;
  files: Count;
}

export const capValues = (caps: AgentCaps): CapValues => ({
  costUsd: caps.cost_usd ?? "",
  tokens: caps.tokens ?? "",
  outputMb: caps.output_bytes == null ? "" : caps.output_bytes / 1e6,
  files: caps.files ?? "",
});

const numberOr = (given: Count): number | null => (given === "" ? null : Number(given));

export const capsOf = ({ costUsd, tokens, outputMb, files }: CapValues): AgentCaps => ({
  cost_usd: numberOr(costUsd),
  tokens: numberOr(tokens),
  output_bytes: outputMb === "" ? null : Math.round(Number(outputMb) * 1e6),
  files: numberOr(files),
});

const within = (least: number, most: number) => (given: Count) =>
  given === "" || (Number(given) >= least && Number(given) <= most)
    ? undefined
    : `Use a number from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}, or nothing.`;

/** Error messages for invalid caps. */
export const capFaults = {
  costUsd: (usd: Count) => (usd === "" || Number(usd) > 0 ? undefined : "Use an amount over 0, or nothing."),
  tokens: within(1_000, 1_000_000_000),
  outputMb: within(0.01, 100_000),
  files: within(1, 5_000),
};
