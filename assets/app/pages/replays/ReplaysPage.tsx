import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch as useAddress } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { replaysQuery } from "../../api/replay-queries.ts";
import { Page } from "../../navigation/Page.tsx";
import { counted } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { ShowMore, useMore } from "../lists/ShowMore.tsx";
import { ReplayRowBones } from "./Bones.tsx";
import { Filters } from "./Filters.tsx";
import classes from "./List.module.css";
import { NoReplays } from "./NoReplays.tsx";
import { ReplayList } from "./ReplayList.tsx";
import type { ReplaysSearch } from "./route.ts";

const from = "/inside/projects/$projectId/replays";

export default function ReplaysPage() {
  const { projectId } = useParams({ from });
  const search = useAddress({ from });
  const navigate = useNavigate({ from: "/projects/$projectId/replays" });
  const set = (change: ReplaysSearch) =>
    void navigate({ to: ".", search: (before) => ({ ...before, ...change }), replace: true });
  const first = useRef<HTMLInputElement>(null);
  const { has_error, ...others } = search;
  const filters = { ...others, ...(has_error && { has_error: has_error === "true" }) };
  const replays = useInfiniteQuery(replaysQuery(projectId, filters));
  const { data } = replays;
  const more = useMore(replays);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const total = data?.pages.at(-1)?.total;
  const none = total === 0 && !isFiltered && !replays.isPlaceholderData;
  const clear = () => void navigate({ to: ".", search: {}, replace: true });
  return (
    <Page section="replays" wide>
      {!none && (
        <Filters project={projectId} search={search} set={set} first={first} replays={rows}>
          <span className={classes.count} role="status">
            {total === undefined ? "" : counted(total, "replay")}
          </span>
        </Filters>
      )}
      <Answer query={replays} what="The replays" bones={<ReplayRowBones />}>
        {() => {
          if (none) return <NoReplays project={projectId} />;
          if (rows.length === 0) return <NoneFound clear={clear} />;
          return (
            <ReplayList
              project={projectId}
              replays={rows}
              total={total ?? 0}
              old={replays.isPlaceholderData}
              more={more}
              search={first}
            />
          );
        }}
      </Answer>
      <ShowMore query={replays} />
    </Page>
  );
}

function NoneFound({ clear }: { clear: () => void }) {
  return (
    <Empty
      title="No matching replays"
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      <p>No replay matches the filters.</p>
    </Empty>
  );
}
