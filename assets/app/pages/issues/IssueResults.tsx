import { Button } from "@mantine/core";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { isStatus } from "../../api/error.ts";
import type { IssueFilters } from "../../api/queries.ts";
import { type Asked, type IssueSearch, withStatus } from "../../issue-search/address.ts";
import { counted } from "../../ui/format.ts";
import { problem } from "../../ui/notify.ts";
import { Failed, Loading } from "../../ui/States.tsx";
import classes from "./Bar.module.css";
import { ListBones } from "./Bones.tsx";
import { allOf, type Run, useChangeIssues } from "./change.ts";
import { keepFocus } from "./focus.ts";
import { useHeldOrder } from "./held-order.ts";
import { useListKeys } from "./keys.ts";
import { List } from "./List.tsx";
import { NoIssues, NotUnderstood } from "./NoIssues.tsx";
import { lastOpened } from "./opened.ts";
import { useSelection } from "./selection.ts";
import { AtCursor, Chosen, StatusControl } from "./Tools.tsx";
import type { Range, Rows } from "./use-issue-rows.ts";

interface Props {
  project: number;
  /** The filters to send to the server. */
  filters: IssueFilters;
  /** The address of the list. */
  search: IssueSearch;
  asked: Asked;
  rows: Rows;
  setRange: (range: Range) => void;
  input: RefObject<HTMLInputElement | null>;
  show: (wanted: Partial<Asked>) => void;
  /** Shows issues of every environment and time. */
  unlimit: () => void;
}

/** The list with its tools, or a placeholder. */
export function IssueResults(props: Props) {
  const { project, filters, search, asked, rows, setRange, input, show } = props;
  const key = JSON.stringify(filters);
  const [pointed, setPointed] = useState(false);
  const [menu, setMenu] = useState<string>();
  const [holding, setHolding] = useState(false);
  const held = useHeldOrder(`${key}\n${rows.old}`, rows.order, holding && !rows.old);
  const selection = useSelection(held.shown, lastOpened(project), rows.old);
  const hold = pointed || selection.chosen.size > 0 || selection.cursor !== undefined;
  if (hold !== holding) setHolding(hold);
  // What is selected among old rows may not be among the new ones.
  const all = useChooseAll(project, `${key}\n${rows.old}`, rows, selection);
  const shownSearch = useShownSearch(search, rows);

  const { targets, run } = useRun(project, rows, selection, held);
  useListKeys({ selection, search, targets, run, setMenu, input });

  const wrong = isStatus(rows.error, 422);
  const atCursor = selection.current === undefined ? undefined : rows.byId.get(selection.current);
  const menus = { project, run, menu, setMenu };
  const refresh = () => {
    held.release();
    selection.reset();
    setPointed(false);
  };
  return (
    <>
      <div className={classes.tools}>
        {selection.chosen.size > 0 && rows.total !== undefined ? (
          <Chosen
            {...menus}
            count={selection.chosen.size}
            total={rows.old ? selection.chosen.size : rows.total}
            chooseAll={() => all.choose(filters)}
            choosing={all.busy}
            clear={() => {
              selection.reset();
              requestAnimationFrame(keepFocus);
            }}
          />
        ) : (
          <>
            <StatusControl
              status={asked.status}
              total={wrong || rows.old ? undefined : rows.total}
              show={(status) => show(withStatus(asked, status))}
            />
            {targets.length > 0 && atCursor && <AtCursor {...menus} issue={atCursor} />}
          </>
        )}
        {held.late > 0 && (
          <Button className={classes.push ?? ""} variant="light" onClick={refresh}>
            {held.late > 1
              ? `${counted(held.late, "issue")} moved. Show the new order`
              : "The order has changed. Show it"}
          </Button>
        )}
      </div>
      {wrong ? (
        <NotUnderstood clear={() => show({ words: "" })} />
      ) : rows.total === undefined || (rows.old && rows.total === 0) ? (
        rows.error ? (
          <Failed error={rows.error} what="The issues" retry={rows.retry} busy={rows.retrying} />
        ) : (
          <Loading label="Loading issues" bones={<ListBones rows={12} limits={search} />} />
        )
      ) : rows.total === 0 ? (
        <NoIssues project={project} asked={asked} limits={search} show={show} unlimit={props.unlimit} />
      ) : (
        <List
          order={held.shown}
          byId={rows.byId}
          old={rows.old}
          chosen={selection.chosen}
          choose={selection.choose}
          chooseAll={(wanted) => selection.set(wanted ? held.shown.filter((id) => id !== undefined) : [])}
          cursor={selection.cursor}
          current={selection.current}
          search={shownSearch}
          setRange={setRange}
          setPointed={setPointed}
        />
      )}
    </>
  );
}

/** The address that the rows are about: the one before, as long as they are its answer. */
function useShownSearch(search: IssueSearch, { old, total }: Rows): IssueSearch {
  const [shown, setShown] = useState(search);
  const isOld = old || total === undefined;
  if (!isOld && shown !== search) setShown(search);
  return isOld ? shown : search;
}

/** Changes the selected issues, or else the one at the cursor; only one change of an issue is in flight at a time. */
function useRun(
  project: number,
  rows: Rows,
  selection: ReturnType<typeof useSelection>,
  held: ReturnType<typeof useHeldOrder>,
) {
  const change = useChangeIssues(project, rows.byId);
  const busy = useRef(new Set<number>());
  const { chosen, current } = selection;
  const targets =
    chosen.size > 0 ? [...chosen] : current === undefined || selection.cursor === undefined ? [] : [current];
  const run: Run = (what, said) => {
    const ids = targets.filter((id) => !busy.current.has(id));
    if (ids.length === 0) return;
    for (const id of ids) busy.current.add(id);
    const settled = held.expect();
    void change(ids, what, said).then((did) => {
      for (const id of ids) busy.current.delete(id);
      if (did) selection.clear();
      settled();
      setTimeout(keepFocus, 150);
    });
  };
  return { targets, run };
}

/** Selects everything the query finds, unless the query changes meanwhile. */
function useChooseAll(project: number, asked: string, rows: Rows, selection: ReturnType<typeof useSelection>) {
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  const reset = useEffectEvent(selection.reset);
  const known = useRef(asked);
  useEffect(() => {
    if (known.current !== asked) reset();
    known.current = asked;
    return () => running.current?.abort();
  }, [asked]);
  const choose = async (filters: IssueFilters) => {
    const controller = new AbortController();
    running.current?.abort();
    running.current = controller;
    setBusy(true);
    try {
      const found = await allOf(project, filters, controller.signal);
      if (controller.signal.aborted) return;
      // Their earlier state must be known to undo a change.
      for (const issue of found) rows.byId.set(issue.id, issue);
      selection.set(found.map(({ id }) => id));
    } catch (error) {
      if (!controller.signal.aborted) problem("Not all issues could be selected", error);
    } finally {
      if (running.current === controller) setBusy(false);
    }
  };
  return { busy, choose: (filters: IssueFilters) => void choose(filters) };
}
