import { Button } from "@mantine/core";
import { useDocumentVisibility } from "@mantine/hooks";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import type { Notification } from "../../api/schema.d.ts";
import { localPath, paths } from "../../paths.ts";
import { useKeys } from "../../shell/keys.ts";
import { counted } from "../../ui/format.ts";
import { useSelection } from "../issues/selection.ts";
import { type Acts, useActs } from "./acts.ts";
import { useHeldRows } from "./held-rows.ts";
import classes from "./Inbox.module.css";
import { NothingOpen, ReadingPane } from "./ReadingPane.tsx";
import { Row } from "./Row.tsx";
import type { InboxSearch } from "./route.ts";
import { nextToRead } from "./steps.ts";

interface Props {
  notifications: Notification[];
  search: InboxSearch;
  /** The notification in the reading pane. */
  opened: Notification | undefined;
  /** It is the answer to the question before. */
  old: boolean;
}

/** The rows of a page; notifications that arrive meanwhile wait above them. Beside the rows is the reading pane. */
export function List({ notifications, search, opened, old }: Props) {
  const isSeen = useDocumentVisibility() === "visible";
  const fitting = notifications.filter(({ archived_at }) => search.show === "archived" || archived_at === null);
  const byId = new Map(fitting.map((one) => [one.id, one]));
  const held = useHeldRows(String(old), [...byId.keys()], isSeen);
  const place = search.open === undefined ? -1 : held.ids.indexOf(search.open);
  const selection = useSelection(held.ids, place < 0 ? undefined : { id: held.ids[place] as number, place });
  const act = useActs();
  const current = selection.current === undefined ? undefined : byId.get(selection.current);
  const toPane = useRef(false);
  const reading = useSteps({ search, opened, ids: held.ids, selection, act, toPane });
  useInboxKeys({ selection, current, opened, act, reading });
  useFocusOf(selection.current, opened?.id, toPane);
  return (
    <div className={classes.columns} data-open={opened !== undefined || undefined}>
      <div className={classes.list}>
        {held.waiting > 0 && (
          <div className={classes.waiting}>
            <Button variant="light" size="compact-sm" onClick={held.release}>
              Show {counted(held.waiting, "new notification")}
            </Button>
          </div>
        )}
        <ul className={classes.rows} aria-label="Notifications" data-old={old || undefined}>
          {held.ids.map((id) => {
            const one = byId.get(id);
            return (
              one && (
                <Row
                  key={id}
                  notification={one}
                  atCursor={id === selection.current}
                  isOpen={id === opened?.id}
                  search={search}
                  act={act}
                  read={() => reading.fromRow(id)}
                />
              )
            );
          })}
        </ul>
      </div>
      {opened ? (
        <ReadingPane
          notification={opened}
          search={search}
          act={act}
          archive={reading.archive}
          goOn={reading.goOn}
          close={reading.close}
          toPane={toPane}
        />
      ) : (
        <NothingOpen />
      )}
    </div>
  );
}

interface Stepping {
  search: InboxSearch;
  opened: Notification | undefined;
  ids: readonly number[];
  selection: ReturnType<typeof useSelection>;
  act: Acts;
  toPane: RefObject<boolean>;
}

type Reading = ReturnType<typeof useSteps>;

/** Moves from one opened notification to the next. */
function useSteps({ search, opened, ids, selection, act, toPane }: Stepping) {
  const navigate = useNavigate({ from: paths.notifications });
  const isListed = opened === undefined || ids.includes(opened.id);
  const { history } = useRouter();
  /** The list is one step back in the history. */
  const isStepOn = useRef(false);
  const go = (open: number | undefined) =>
    navigate({ to: ".", search: { ...search, open }, replace: true, resetScroll: open !== undefined });
  const putCursor = (id: number) => selection.move(ids.indexOf(id) - (selection.cursor ?? -1));
  const next = () => {
    if (opened === undefined || !isListed) return ids[selection.cursor ?? 0];
    const at = ids.indexOf(opened.id);
    return ids[at + 1] ?? ids[at - 1];
  };
  return {
    /** Moves the keyboard focus from the row into the reading pane. */
    fromRow: (id: number) => {
      toPane.current = true;
      if (search.open === undefined) isStepOn.current = true;
      putCursor(id);
      if (id === opened?.id) document.querySelector<HTMLElement>("[data-pane]")?.focus({ preventScroll: true });
    },
    step: (by: 1 | -1) => {
      toPane.current = false;
      const id = opened && nextToRead(ids, selection.cursor, by, isListed);
      if (id === undefined) return selection.move(by);
      putCursor(id);
      if (id !== opened?.id) void go(id);
    },
    archive: () => {
      if (opened === undefined) return;
      toPane.current = false;
      act.archive(opened);
      void go(next());
    },
    /** Opens the next one when the current one has nothing more to show. */
    goOn: () => {
      toPane.current = false;
      const id = next();
      if (id !== undefined) putCursor(id);
      return go(id);
    },
    close: () => {
      toPane.current = false;
      if (isStepOn.current) history.back();
      else void go(undefined);
      isStepOn.current = false;
    },
  };
}

interface Pressing {
  selection: ReturnType<typeof useSelection>;
  current: Notification | undefined;
  opened: Notification | undefined;
  act: Acts;
  reading: Reading;
}

function useInboxKeys({ selection, current, opened, act, reading }: Pressing): void {
  const navigate = useNavigate();
  const at = opened ?? current;
  const atCursor = (run: (one: Notification) => void) => () => {
    if (at) run(at);
  };
  useKeys("Notifications", [
    { keys: "j", does: "Next notification", repeats: true, run: () => reading.step(1) },
    { keys: "k", does: "Previous notification", repeats: true, run: () => reading.step(-1) },
    {
      keys: "o",
      does: "Open what it leads to",
      run: atCursor((one) => {
        act.open(one);
        void navigate({ href: localPath(one.action_url) });
      }),
    },
    { keys: "r", does: "Mark as read", run: atCursor(act.read) },
    { keys: "e", does: "Archive", run: opened ? reading.archive : atCursor(act.archive) },
    opened
      ? { keys: "Escape", does: "Close what is read", run: reading.close }
      : { keys: "Escape", does: "Leave the list", run: selection.reset },
  ]);
}

/** The one at the cursor has the focus, so that Enter opens it; the pane has it where it was opened by that. */
function useFocusOf(current: number | undefined, opened: number | undefined, toPane: RefObject<boolean>): void {
  useEffect(() => {
    const isInPane = toPane.current;
    if (opened === current) toPane.current = false;
    if (current === undefined || isInPane) return;
    const row = document.querySelector<HTMLElement>(`[data-notification="${current}"]`);
    row?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }, [current, opened, toPane]);
}
