import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch as useAddress, useNavigate, useParams } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useRef } from "react";
import { useFollowEvents } from "../../api/follow.ts";
import { releaseKeys } from "../../api/mapped-releases.ts";
import { releasesQuery } from "../../api/release-queries.ts";
import { isLimited, type Limits, limitWords } from "../../navigation/limits.ts";
import { Page } from "../../navigation/Page.tsx";
import { useCarried } from "../../navigation/use-carried.ts";
import { counted } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { LimitSelects } from "../lists/LimitSelects.tsx";
import { ShowMore, useMore } from "../lists/ShowMore.tsx";
import { ReleaseBones } from "./Bones.tsx";
import { CiSnippet } from "./CiSnippet.tsx";
import classes from "./List.module.css";
import { ReleaseList } from "./ReleaseList.tsx";
import { ProjectTrend } from "./ReleaseTrend.tsx";
import type { ReleaseSearch } from "./route.ts";
import { useSearch } from "./use-search.ts";

export default function ReleasesPage() {
  const from = "/inside/projects/$projectId/releases";
  const { projectId } = useParams({ from });
  const address = useAddress({ from });
  const { query = "", environment, period } = address;
  const navigate = useNavigate({ from: "/projects/$projectId/releases" });
  const go = (change: ReleaseSearch) => void navigate({ to: ".", search: { ...address, ...change }, replace: true });
  const [typed, setTyped] = useSearch(query, (text) => go({ query: text === "" ? undefined : text }));
  const search = useRef<HTMLInputElement>(null);
  const releases = useInfiniteQuery(releasesQuery(projectId, query, { environment, period }));
  useFollowEvents(projectId, releaseKeys.all(projectId));
  const more = useMore(releases);
  const along = useCarried("releases");
  const total = releases.data?.pages.at(-1)?.total;
  const limits = { environment, period };
  const none = total === 0 && query === "" && !isLimited(limits) && !releases.isPlaceholderData;
  return (
    <Page section="releases" wide>
      {!none && <ProjectTrend project={projectId} environment={environment} period={period} />}
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
          <LimitSelects project={projectId} limits={limits} label="Period of the list" set={go} />
          <span className={classes.count} role="status">
            {total === undefined ? "" : counted(total, "release")}
          </span>
        </div>
      )}
      <Answer query={releases} what="The releases" bones={<ReleaseBones />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (none) return <NoReleases project={projectId} />;
          if (rows.length === 0 && query === "" && isLimited(limits))
            return <NoneWithin limits={limits} clear={() => go({ environment: undefined, period: undefined })} />;
          if (rows.length === 0) return <NoneFound query={query} limits={limits} clear={() => setTyped("")} />;
          return (
            <ReleaseList
              project={projectId}
              releases={rows}
              total={total ?? 0}
              old={releases.isPlaceholderData}
              more={more}
              search={search}
              limits={limits}
              along={along}
            />
          );
        }}
      </Answer>
      <ShowMore query={releases} />
    </Page>
  );
}

function NoneWithin({ limits, clear }: { limits: Limits; clear: () => void }) {
  return (
    <Empty
      title={`No release had events ${limitWords(limits)}`}
      action={
        <Button variant="default" onClick={clear}>
          Show releases of all environments and times
        </Button>
      }
    >
      <p>The list is limited to releases with events {limitWords(limits)}.</p>
    </Empty>
  );
}

interface NoneFoundProps {
  query: string;
  limits: Limits;
  clear: () => void;
}

function NoneFound({ query, limits, clear }: NoneFoundProps) {
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
        No version {isLimited(limits) && `with events ${limitWords(limits)} `}contains{" "}
        <bdi className="mono">{query}</bdi>.
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
