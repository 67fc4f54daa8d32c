import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch as useAddress } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useRef } from "react";
import { useFollowEvents } from "../../api/follow.ts";
import { releaseKeys, releasesQuery } from "../../api/release-queries.ts";
import { Page } from "../../navigation/Page.tsx";
import { counted } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { More, useMore } from "../lists/More.tsx";
import { ReleaseBones } from "./Bones.tsx";
import { CiSnippet } from "./CiSnippet.tsx";
import classes from "./List.module.css";
import { ReleaseList } from "./ReleaseList.tsx";
import { ProjectTrend } from "./ReleaseTrend.tsx";
import { useSearch } from "./use-search.ts";

export default function ReleasesPage() {
  const from = "/inside/projects/$projectId/releases";
  const { projectId } = useParams({ from });
  const { query = "" } = useAddress({ from });
  const navigate = useNavigate({ from: "/projects/$projectId/releases" });
  const [typed, setTyped] = useSearch(
    query,
    (text) => void navigate({ to: ".", search: text === "" ? {} : { query: text }, replace: true }),
  );
  const search = useRef<HTMLInputElement>(null);
  const releases = useInfiniteQuery(releasesQuery(projectId, query));
  useFollowEvents(projectId, releaseKeys.all(projectId));
  const more = useMore(releases);
  const total = releases.data?.pages.at(-1)?.total;
  const none = total === 0 && query === "" && !releases.isPlaceholderData;
  return (
    <Page section="releases" wide>
      {!none && <ProjectTrend project={projectId} />}
      {!none && (
        <div className={classes.bar}>
          <TextInput
            ref={search}
            className={classes.search ?? ""}
            type="search"
            aria-label="Search versions"
            placeholder="Search versions"
            leftSection={<Search size="0.875rem" aria-hidden />}
            maxLength={128}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          />
          <span className={classes.count} role="status">
            {total === undefined ? "" : counted(total, "release")}
          </span>
        </div>
      )}
      <Answer query={releases} what="The releases" bones={<ReleaseBones />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (none) return <NoReleases project={projectId} />;
          if (rows.length === 0) return <NoneFound query={query} clear={() => setTyped("")} />;
          return (
            <ReleaseList
              project={projectId}
              releases={rows}
              total={total ?? 0}
              old={releases.isPlaceholderData}
              more={more}
              search={search}
            />
          );
        }}
      </Answer>
      <More query={releases} />
    </Page>
  );
}

function NoneFound({ query, clear }: { query: string; clear: () => void }) {
  return (
    <Empty
      title="No matching releases"
      action={
        <Button variant="default" onClick={clear}>
          Clear search
        </Button>
      }
    >
      <p>
        No version contains <bdi className="mono">{query}</bdi>.
      </p>
    </Empty>
  );
}

function NoReleases({ project }: { project: number }) {
  return (
    <Empty title="No releases yet">
      <p>
        A release ties errors to the build they came from and holds its source maps, so that you read minified stacks at
        their original lines. Run this in CI after each build:
      </p>
      <CiSnippet project={project} />
    </Empty>
  );
}
