import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { isBranch, isNumber } from "../api/exact-json.ts";
import { useKept } from "../hooks/use-kept.ts";
import classes from "./JsonTree.module.css";
import { oneLine, visible } from "./visible.ts";

/** How many entries of a level, and characters of a text, are shown before somebody asks for more. */
const entriesMax = 50;
const textMax = 400;
/** Characters of a value in the preview of a closed entry. */
const previewMax = 60;
/** How many levels, and entries of a level, are open at first. */
const openDepth = 2;
const openEntries = 12;
/** Levels up to these are indented wholly, and slightly; deeper ones stand where the last of those does. */
const wholeMax = 4;
const slightMax = 20;

/** Draws a value in its own way, by its path from the root; `undefined`: as usual. */
export type DrawValue = (path: readonly string[], value: unknown) => ReactNode | undefined;

interface Props {
  value: object;
  depth?: number;
  /** Levels that are open at first. */
  open?: number;
  /** Links of this level's values, by name. */
  links?: Record<string, string | undefined>;
  draw?: DrawValue | undefined;
  /** The path of this level. */
  path?: readonly string[];
  /** By this what is open is found again when the person comes back to the page; unique on it. */
  name?: string | undefined;
}

const root: readonly string[] = [];

/** Any JSON as rows of names and values: collapsible, with long values cut. */
export function JsonTree({ value, depth = 0, open = openDepth, links = {}, draw, path = root, name: tree }: Props) {
  const [most, setMost] = useKept(keptName(tree, "most", path), entriesMax);
  const entries = Object.entries(value);
  const shown = entries.slice(0, most);
  const list = useRef<HTMLUListElement>(null);
  const showMore = () => {
    const isLast = entries.length <= most * 4;
    flushSync(() => setMost(most * 4));
    // The button that had the focus is gone.
    if (isLast) focusEntry(list.current?.children[shown.length]);
  };
  return (
    <ul ref={list} className={classes.tree} data-indent={indentOf(depth)}>
      {shown.map(([name, each]) => (
        <Entry
          key={name}
          name={name}
          value={each}
          depth={depth}
          open={open}
          to={links[name]}
          draw={draw}
          path={[...path, name]}
          tree={tree}
        />
      ))}
      {entries.length > shown.length && (
        <li>
          <button type="button" className={classes.more} onClick={showMore}>
            Show more ({entries.length - shown.length} left)
          </button>
        </li>
      )}
    </ul>
  );
}

/** The name of what is kept about a level or a value of a tree. */
const keptName = (tree: string | undefined, what: string, path: readonly string[]): string | undefined =>
  tree === undefined ? undefined : JSON.stringify([tree, what, ...path]);

/** How far a level stands to the right of the one around it. */
function indentOf(depth: number): "whole" | "slight" | "none" | undefined {
  if (depth === 0) return undefined;
  if (depth <= wholeMax) return "whole";
  return depth <= slightMax ? "slight" : "none";
}

/** Gives an entry the focus; its button, if it folds. */
function focusEntry(entry: Element | undefined): void {
  const target = entry?.querySelector<HTMLElement>("button[aria-expanded]") ?? entry;
  if (!(target instanceof HTMLElement)) return;
  if (target === entry) target.tabIndex = -1;
  target.focus();
}

interface EntryProps {
  name: string;
  value: unknown;
  depth: number;
  open: number;
  to?: string | undefined;
  draw: DrawValue | undefined;
  /** Its own path. */
  path: readonly string[];
  /** The tree's name. */
  tree: string | undefined;
}

function Entry({ name, value, depth, open, to, draw, path, tree }: EntryProps) {
  const size = isBranch(value) ? Object.keys(value).length : 0;
  const [isOpen, setOpen] = useKept(keptName(tree, "open", path), depth + 1 < open && size <= openEntries);
  if (!isBranch(value) || size === 0) {
    return (
      <li className={classes.row}>
        <Name text={name} />
        {to ? (
          <Link to={to}>
            <Scalar value={value} />
          </Link>
        ) : (
          (draw?.(path, value) ?? <Scalar value={value} name={keptName(tree, "whole", path)} />)
        )}
      </li>
    );
  }
  return (
    <li>
      <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight aria-hidden className={classes.chevron} />
        <Name text={name} />
        <span className={classes.size}>{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
        {!isOpen && <bdi className={classes.preview}>{preview(value)}</bdi>}
      </button>
      {isOpen && <JsonTree value={value} depth={depth + 1} open={open} draw={draw} path={path} name={tree} />}
    </li>
  );
}

/** The first plain values of a closed entry. */
const preview = (value: object): string =>
  Object.values(value)
    .filter((each) => each !== null && !isBranch(each))
    .slice(0, 4)
    .map((each) => oneLine(String(each)).slice(0, previewMax))
    .join(" · ");

const Name = ({ text }: { text: string }) => (
  <bdi className={classes.name}>{visible(text.length > textMax ? `${text.slice(0, textMax)}…` : text)}</bdi>
);

/** A value that is not an object or array; texts keep their line breaks. */
export function Scalar({ value, name }: { value: unknown; name?: string | undefined }) {
  const [isWhole, setWhole] = useKept(name, false);
  if (typeof value !== "string")
    return (
      <span className={classes.value} data-kind={isNumber(value) ? "number" : typeof value}>
        {JSON.stringify(value)}
      </span>
    );
  const isCut = value.length > textMax;
  return (
    <span className={classes.value} data-kind="string">
      <bdi>{value === "" ? '""' : visible(isCut && !isWhole ? `${value.slice(0, textMax)}…` : value)}</bdi>
      {isCut && (
        <button type="button" className={classes.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${value.length.toLocaleString("en")} characters`}
        </button>
      )}
    </span>
  );
}
