import { ActionIcon, Tooltip } from "@mantine/core";
import { CircleMinus, CirclePlus } from "lucide-react";
import { useState } from "react";
import { visible } from "../../ui/visible.ts";
import type { Fact } from "./attributes.ts";
import classes from "./Detail.module.css";
import { type Way, canAsk, term } from "./terms.ts";

/** Rows, and characters of a value, that are shown at first. */
const rowsMost = 60;
const textMost = 400;

interface Props {
  title: string;
  facts: Fact[];
  filter: (part: string, way: Way) => void;
}

/** Fields with their values, each of which can become a filter. */
export function Facts({ title, facts, filter }: Props) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? facts : facts.slice(0, rowsMost);
  return (
    <section className={classes.part}>
      <h3>{title}</h3>
      <table className={classes.facts} aria-label={title}>
        <tbody>
          {shown.map((fact, at) => (
            <Row key={at} fact={fact} filter={filter} />
          ))}
        </tbody>
      </table>
      {facts.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          Show {facts.length - shown.length} more
        </button>
      )}
    </section>
  );
}

function Row({ fact: { name, field, value, shown = value, kind }, filter }: { fact: Fact; filter: Props["filter"] }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = shown.length > textMost;
  return (
    <tr>
      <th scope="row">
        <bdi>{visible(name)}</bdi>
      </th>
      <td data-kind={kind}>
        <bdi>{visible(isCut && !isWhole ? `${shown.slice(0, textMost)}…` : shown)}</bdi>
        {isCut && (
          <button type="button" className={classes.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Show less" : `Show all ${shown.length.toLocaleString("en")} characters`}
          </button>
        )}
      </td>
      <td className={classes.ways}>
        {field !== undefined && canAsk(field) && (
          <Ways part={term(field, value)} what={`${name} ${shown.slice(0, 60)}`} filter={filter} />
        )}
      </td>
    </tr>
  );
}

/** The two buttons of a value: only entries with it, or only those without. */
export function Ways({ part, what, filter }: { part: string; what: string; filter: Props["filter"] }) {
  return (
    <>
      <Tooltip label="Only entries with this value">
        <ActionIcon size="1.5rem" aria-label={`Filter by ${visible(what)}`} onClick={() => filter(part, "only")}>
          <CirclePlus size="0.875rem" aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Only entries without this value">
        <ActionIcon size="1.5rem" aria-label={`Exclude ${visible(what)}`} onClick={() => filter(part, "not")}>
          <CircleMinus size="0.875rem" aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
