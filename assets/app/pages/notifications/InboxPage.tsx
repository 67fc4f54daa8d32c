import { Button, NativeSelect, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Info, Settings2 } from "lucide-react";
import { useState } from "react";
import { inboxPage, notificationsQuery } from "../../api/notification-pages.ts";
import { inboxQuery, markAllRead } from "../../api/notification-queries.ts";
import type { Category, Notification } from "../../api/schema.d.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { categories } from "../../ui/CategoryIcon.tsx";
import { counted, exact } from "../../ui/format.ts";
import note from "../../ui/Note.module.css";
import { problem } from "../../ui/notify.ts";
import { Answer } from "../../ui/States.tsx";
import classes from "./Inbox.module.css";
import { List } from "./List.tsx";
import { NoNotices } from "./NoNotices.tsx";
import type { InboxSearch } from "./route.ts";

const shows = [
  { value: "all", label: "All" },
  { value: "unread", label: "Unread" },
  { value: "archived", label: "Archived" },
];
const categoryChoices = [
  { value: "", label: "All categories" },
  ...Object.entries(categories).map(([value, { label }]) => ({ value, label })),
];

/** Too narrow for a list and a reading pane. */
const narrow = "(max-width: 61.99em)";

/** The person's notifications: unread, all, or archived. */
export default function InboxPage() {
  const search = useSearch({ from: "/inside/account/notifications" });
  const navigate = useNavigate({ from: paths.notifications });
  const page = (search.page ?? 1) - 1;
  const answer = useQuery(notificationsQuery(search, page));
  const show = (change: InboxSearch) => {
    window.scrollTo(0, 0);
    void navigate({ to: ".", search: { ...search, page: undefined, open: undefined, ...change } });
  };
  const total = answer.data?.total;
  const opened = useOpened(search.open, answer.data?.notifications ?? []);
  const isElsewhere =
    search.open !== undefined && opened === undefined && answer.isSuccess && !answer.isPlaceholderData;
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches, { getInitialValueInEffect: false });
  // On a small screen, the opened notification is a separate page.
  const alone = isNarrow && opened !== undefined;
  return (
    <Page
      section="notifications"
      wide
      bare={alone}
      actions={
        alone ? undefined : (
          <Button
            component={Link}
            to={paths.notificationPreferences}
            variant="default"
            leftSection={<Settings2 size="0.875rem" aria-hidden />}
          >
            Preferences
          </Button>
        )
      }
    >
      {!alone && <Bar search={search} show={show} total={total} />}
      {isElsewhere && <Elsewhere close={() => show({ page: search.page })} />}
      <Answer query={answer} what="Your notifications" bones={<TableBones rows={10} />}>
        {({ notifications, total: all }) => (
          <>
            {notifications.length === 0 && opened === undefined ? (
              <NoNotices search={search} total={all} show={show} />
            ) : (
              <List
                key={JSON.stringify({ ...search, open: undefined })}
                notifications={notifications}
                search={search}
                opened={opened}
                old={answer.isPlaceholderData}
              />
            )}
            {!alone && <Pages page={page} total={all} show={show} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

/** Says that this page does not have the notification of the address. */
function Elsewhere({ close }: { close: () => void }) {
  return (
    <p role="status" className={note.note}>
      <Info aria-hidden />
      <span>
        The notification that this link opens is not listed here: it may be on another page, filtered out, or gone.
      </span>
      <Button variant="subtle" size="compact-xs" className={classes.end ?? ""} onClick={close}>
        Dismiss
      </Button>
    </p>
  );
}

interface BarProps {
  search: InboxSearch;
  show: (change: InboxSearch) => void;
  total: number | undefined;
}

/** Which of them are listed, and how many there are. */
function Bar({ search, show, total }: BarProps) {
  return (
    <div className={classes.bar}>
      <SegmentedControl
        size="xs"
        aria-label="Show"
        data={shows}
        value={search.show ?? "all"}
        onChange={(value) => show({ show: value === "all" ? undefined : (value as "unread" | "archived") })}
      />
      <NativeSelect
        size="xs"
        aria-label="Category"
        data={categoryChoices}
        value={search.category ?? ""}
        onChange={({ currentTarget: { value } }) => show({ category: (value || undefined) as Category | undefined })}
      />
      <span className="muted number" role="status">
        {total === undefined ? "" : counted(total, "notification")}
      </span>
      {search.show !== "archived" && <ReadAll />}
    </div>
  );
}

function ReadAll() {
  const unread = useQuery(inboxQuery).data?.unread_count ?? 0;
  const cache = useQueryClient();
  if (unread === 0) return null;
  const read = () => void markAllRead(cache).catch((error: unknown) => problem("Nothing was marked as read", error));
  return (
    <Button variant="subtle" size="compact-sm" className={classes.end ?? ""} onClick={read}>
      Mark all as read
    </Button>
  );
}

/** The pages before and after this one. */
function Pages({ page, total, show }: { page: number; total: number; show: (change: InboxSearch) => void }) {
  const first = page * inboxPage + 1;
  const last = Math.min(total, (page + 1) * inboxPage);
  if (total <= inboxPage || first > total) return null;
  return (
    <nav className={classes.pages} aria-label="Pages">
      <Button variant="default" disabled={page === 0} onClick={() => show({ page: page > 1 ? page : undefined })}>
        Newer
      </Button>
      <span className="muted number">
        {exact(first)} to {exact(last)} of {exact(total)}
      </span>
      <Button variant="default" disabled={last === total} onClick={() => show({ page: page + 2 })}>
        Older
      </Button>
    </nav>
  );
}

/** The one that is read. It stays while it is, even where the list has it no more, as among the unread ones. */
function useOpened(open: number | undefined, listed: readonly Notification[]): Notification | undefined {
  const [kept, keep] = useState<Notification>();
  const found = open === undefined ? undefined : listed.find(({ id }) => id === open);
  if (found !== undefined && found !== kept) keep(found);
  return found ?? (kept?.id === open ? kept : undefined);
}
