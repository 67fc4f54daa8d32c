import { type Key, type ReactNode, type RefObject, useRef } from "react";
import ui from "../../ui/List.module.css";
import { useListKeys } from "./use-list-keys.ts";
import { useRows } from "./use-rows.ts";

interface Props<Item> {
  /** The name of the list, for screen readers and the list of keys. */
  name: string;
  items: Item[];
  /** Of all matching ones, including those that are not loaded. */
  total: number;
  /** Shows the answer to the question before. */
  old: boolean;
  /** Called when the end scrolls into sight. */
  more: () => void;
  search: RefObject<HTMLInputElement | null>;
  /** Of a row, in root ems, as the style sheet has them. */
  heights: { wide: number; narrow: number };
  classes: { list: string | undefined; row: string | undefined };
  head: ReactNode;
  keyOf: (item: Item) => Key;
  /** The cells of a row. */
  children: (item: Item, place: number) => ReactNode;
}

/** A table that grows at its end; the rows in sight of those that were loaded are drawn. */
export function GrowingList<Item>({ name, items, total, old, more, search, ...looks }: Props<Item>) {
  const { heights, classes, head, keyOf, children } = looks;
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows({ count: items.length, body, heights, more });
  const scrollTo = (row: number) => rows.scrollToIndex(row, { align: "auto" });
  useListKeys({ name, count: items.length, search, scrollTo, body });
  return (
    <div
      role="table"
      aria-label={name}
      aria-rowcount={total + 1}
      className={`${classes.list ?? ""} ${old ? ui.old : ""}`}
    >
      {head}
      <div role="rowgroup" ref={body} className={ui.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          const transform = `translateY(${start - rows.options.scrollMargin}px)`;
          return (
            item && (
              <div
                key={keyOf(item)}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                className={classes.row}
                style={{ transform }}
              >
                {children(item, index)}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
