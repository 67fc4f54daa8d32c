import { Button } from "@mantine/core";
import { Empty } from "../../ui/States.tsx";
import type { InboxSearch } from "./route.ts";

interface Props {
  search: InboxSearch;
  total: number;
  show: (change: InboxSearch) => void;
}

/** Explains an empty list, and suggests where there may be notifications. */
export function NoNotices({ search, total, show }: Props) {
  if (total > 0)
    return (
      <Empty title="No notifications on this page" action={<Do label="First page" run={() => show({})} />}>
        <p>There were more when this address was written.</p>
      </Empty>
    );
  if (search.category !== undefined)
    return (
      <Empty
        title="No matching notifications"
        action={<Do label="Clear filters" run={() => show({ show: undefined, category: undefined })} />}
      >
        <p>Try another category.</p>
      </Empty>
    );
  if (search.show === "unread")
    return (
      <Empty title="Nothing unread" action={<Do label="Show all" run={() => show({ show: undefined })} />}>
        <p>New notifications appear here by themselves.</p>
      </Empty>
    );
  if (search.show === "archived")
    return (
      <Empty title="Nothing archived" action={<Do label="Show all" run={() => show({ show: undefined })} />}>
        <p>What you archive leaves the other lists and stays here.</p>
      </Empty>
    );
  return (
    <Empty title="No notifications yet">
      <p>New issues, changes in your team and announcements appear here.</p>
    </Empty>
  );
}

function Do({ label, run }: { label: string; run: () => void }) {
  return (
    <Button variant="default" onClick={run}>
      {label}
    </Button>
  );
}
