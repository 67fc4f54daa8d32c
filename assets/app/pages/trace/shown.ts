// What the page of a trace shows, by what of the trace could be loaded.

/** What is known of one of the two parts of a trace: its events, or its log entries. */
export interface Part {
  isPending: boolean;
  isError: boolean;
  /** How many there are, once it is known. */
  count: number | undefined;
}

export interface TraceParts {
  /** The parts that could not be loaded; what is known of a part from before is shown. */
  failed: ("errors" | "logs")[];
  /** Nothing below what failed where nobody knows of anything: the other part may have some. */
  body: "loading" | "trace" | "empty" | undefined;
}

export function shownOf({ errors, logs }: { errors: Part; logs: Part }): TraceParts {
  const parts = [
    { name: "errors", part: errors },
    { name: "logs", part: logs },
  ] as const;
  const failed = parts.flatMap(({ name, part }) => (part.isError && part.count === undefined ? [name] : []));
  if (errors.isPending || logs.isPending) return { failed, body: "loading" };
  if ((errors.count ?? 0) > 0 || (logs.count ?? 0) > 0) return { failed, body: "trace" };
  return { failed, body: failed.length === 0 ? "empty" : undefined };
}
