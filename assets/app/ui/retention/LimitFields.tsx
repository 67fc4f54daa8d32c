import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { RetentionPolicy } from "../../api/schema.d.ts";
import { bytes, counted, exact } from "../format.ts";
import type { Form } from "../form.ts";
import settings from "../settings/Settings.module.css";
import classes from "./Retention.module.css";
import { type Fields, type KindName, kinds, type NumberName, numbers, unitOf } from "./limits.ts";

const labels: Record<NumberName, string> = { days: "Days", count: "Number", megabytes: "Size in MiB" };
const legends: Record<KindName, string> = { events: "Events", logs: "Log entries", replays: "Session replays" };
const nouns: Record<KindName, string> = { events: "events", logs: "entries", replays: "replays" };

/** The fields of all limits. An empty field means the instance's limit. */
export function LimitFields({
  form,
  defaults,
  readOnly = false,
}: {
  form: Form<Fields>;
  /** The limits that empty fields stand for. */
  defaults: RetentionPolicy;
  readOnly?: boolean;
}) {
  return kinds.map((kind) => (
    <fieldset key={kind} className={`${settings.switches} ${classes.kind}`}>
      <legend>{legends[kind]}</legend>
      <div className={classes.numbers}>
        {numbers.map((number) => (
          <TextInput
            key={number}
            {...form.field(`${kind}_${number}`)}
            label={labels[number]}
            description={about(kind, number)}
            placeholder={placeholder(defaults[kind][number], number)}
            inputMode="numeric"
            autoComplete="off"
            readOnly={readOnly}
          />
        ))}
      </div>
    </fieldset>
  ));
}

function about(kind: KindName, number: NumberName): ReactNode {
  if (number === "days") return "Keep for this many whole days after the day of receipt (UTC)";
  return number === "count"
    ? `Keep at most this many of the newest ${nouns[kind]}`
    : `Keep the newest ${nouns[kind]} up to this size, as stored`;
}

/** The limit that applies while a field is empty. */
function placeholder(given: number | null, number: NumberName): string {
  if (given === null) return "Unlimited";
  if (number === "days") return counted(given, "day");
  return number === "count" ? exact(given) : bytes(given * 1024 * 1024);
}

/** What limits would remove, in a sentence. */
export function removalSentence(removals: Record<KindName, { count: number; bytes: number }>): string {
  const parts = kinds.filter((kind) => removals[kind].count > 0);
  if (parts.length === 0) return "Nothing stored now is beyond these limits.";
  const words = parts.map((kind) => `${unitOf(kind, removals[kind].count)} (${bytes(removals[kind].bytes)})`);
  return `These limits remove ${listed(words)} stored now.`;
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (words: string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
