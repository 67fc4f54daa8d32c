import { Button } from "@mantine/core";
import { useDocumentVisibility } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Notification } from "../../api/schema.d.ts";
import { localPath } from "../../paths.ts";
import { useKeys } from "../../shell/keys.ts";
import { counted } from "../../ui/format.ts";
import { useSelection } from "../issues/selection.ts";
import { type Acts, useActs } from "./acts.ts";
import { useHeldRows } from "./held.ts";
import classes from "./Inbox.module.css";
import { Row } from "./Row.tsx";
import type { InboxSearch } from "./route.ts";

interface Props {
  notifications: Notification[];
  show: InboxSearch["show"];
  /** It is the answer to the question before. */
  old: boolean;
}

/** The rows of a page; what comes while it is read waits above them. */
export function List({ notifications, show, old }: Props) {
  const isSeen = useDocumentVisibility() === "visible";
  const fitting = notifications.filter(({ archived_at }) => show === "archived" || archived_at === null);
  const byId = new Map(fitting.map((one) => [one.id, one]));
  const held = useHeldRows(String(old), [...byId.keys()], isSeen);
  const selection = useSelection(held.ids);
  const act = useActs();
  const current = selection.current === undefined ? undefined : byId.get(selection.current);
  useInboxKeys(selection, current, act);
  useFocusOf(selection.current);
  return (
    <>
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
          return one && <Row key={id} notification={one} atCursor={id === selection.current} act={act} />;
        })}
      </ul>
    </>
  );
}

function useInboxKeys(selection: ReturnType<typeof useSelection>, current: Notification | undefined, act: Acts): void {
  const navigate = useNavigate();
  const atCursor = (run: (one: Notification) => void) => () => {
    if (current) run(current);
  };
  useKeys("Notifications", [
    { keys: "j", does: "Next notification", repeats: true, run: () => selection.move(1) },
    { keys: "k", does: "Previous notification", repeats: true, run: () => selection.move(-1) },
    {
      keys: "o",
      does: "Open the notification",
      run: atCursor((one) => {
        act.open(one);
        void navigate({ href: localPath(one.action_url) });
      }),
    },
    { keys: "r", does: "Mark as read", run: atCursor(act.read) },
    { keys: "e", does: "Archive", run: atCursor(act.archive) },
    { keys: "Escape", does: "Leave the list", run: selection.reset },
  ]);
}

/** The one at the cursor has the focus, so that Enter opens it. */
function useFocusOf(current: number | undefined): void {
  useEffect(() => {
    if (current === undefined) return;
    const row = document.querySelector<HTMLElement>(`[data-notification="${current}"]`);
    row?.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }, [current]);
}
