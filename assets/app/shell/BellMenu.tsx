import { Menu } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CheckCheck, Inbox, RotateCw, Settings2 } from "lucide-react";
import { useState } from "react";
import { messageOf } from "../api/error.ts";
import { latestQuery } from "../api/notification-pages.ts";
import { inboxQuery, markAllRead, markRead } from "../api/notification-queries.ts";
import type { Notification } from "../api/schema.d.ts";
import { localPath, paths } from "../paths.ts";
import { LineBones } from "../ui/Bones.tsx";
import { CategoryIcon } from "../ui/CategoryIcon.tsx";
import type { Opening } from "../ui/Deferred.tsx";
import { problem } from "../ui/notify.ts";
import { Line } from "../ui/Text.tsx";
import { Time } from "../ui/Time.tsx";
import { useLate } from "../ui/use-late.ts";
import classes from "./Bell.module.css";
import { BellButton, type BellPlace } from "./BellButton.tsx";

/** The bell and the newest notifications. */
export default function BellMenu({ place, isPressed }: { place: BellPlace } & Opening) {
  const [opened, setOpened] = useState(isPressed);
  return (
    <Menu
      position={place === "bar" ? "bottom-end" : "right-start"}
      width="min(24rem, calc(100vw - 1.5rem))"
      opened={opened}
      onChange={setOpened}
    >
      <Menu.Target>
        <BellButton place={place} />
      </Menu.Target>
      <Menu.Dropdown mah="80dvh" style={{ overflowY: "auto" }}>
        <Newest />
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.notifications} leftSection={<Inbox size="0.875rem" aria-hidden />}>
          Open the inbox
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.notificationPreferences}
          leftSection={<Settings2 size="0.875rem" aria-hidden />}
        >
          Preferences
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The newest notifications, fetched when the menu opens. */
function Newest() {
  const latest = useQuery(latestQuery);
  const unread = useQuery(inboxQuery).data?.unread_count ?? 0;
  const cache = useQueryClient();
  const readAll = () => void markAllRead(cache).catch((error: unknown) => problem("Nothing was marked as read", error));
  if (latest.data === undefined) {
    if (latest.isPending) return <Waiting />;
    return <NotLoaded error={latest.error} retry={() => void latest.refetch()} busy={latest.isFetching} />;
  }
  const { notifications } = latest.data;
  if (notifications.length === 0) return <Menu.Label>No notifications yet</Menu.Label>;
  return (
    <>
      {notifications.map((one) => (
        <One key={one.id} notification={one} open={() => void markRead(cache, one.id).catch(() => undefined)} />
      ))}
      {unread > 0 && (
        <>
          <Menu.Divider />
          <Menu.Item
            closeMenuOnClick={false}
            leftSection={<CheckCheck size="0.875rem" aria-hidden />}
            onClick={readAll}
          >
            Mark all as read
          </Menu.Item>
        </>
      )}
    </>
  );
}

/** An item, since a menu may hold nothing else that is read out. */
function Waiting() {
  const late = useLate(true);
  return (
    <Menu.Item component="div" disabled aria-disabled>
      <span className="unseen">Loading notifications…</span>
      {late && <LineBones rows={4} />}
    </Menu.Item>
  );
}

function NotLoaded({ error, retry, busy }: { error: unknown; retry: () => void; busy: boolean }) {
  const late = useLate(busy);
  return (
    <>
      <Menu.Label>The notifications could not be loaded: {messageOf(error)}</Menu.Label>
      <Menu.Item
        closeMenuOnClick={false}
        leftSection={<RotateCw size="0.875rem" aria-hidden />}
        onClick={() => busy || retry()}
        {...(late && { "aria-disabled": true })}
      >
        {late ? "Trying again…" : "Try again"}
      </Menu.Item>
    </>
  );
}

function One({ notification: one, open }: { notification: Notification; open: () => void }) {
  const isUnread = one.read_at === null;
  return (
    <Menu.Item component={Link} to={localPath(one.action_url)} onClick={open} className={classes.item ?? ""}>
      <span className={classes.one} data-unread={isUnread || undefined}>
        <CategoryIcon of={one} />
        <span className={classes.title}>
          {isUnread && <span className="unseen">Unread: </span>}
          <Line text={one.title} />
        </span>
        <span className={classes.when}>
          <Time at={one.created_at} />
        </span>
        {one.summary !== "" && (
          <span className={classes.summary}>
            <Line text={one.summary} />
          </span>
        )}
      </span>
    </Menu.Item>
  );
}
