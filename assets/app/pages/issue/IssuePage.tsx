import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { isStatus } from "../../api/error.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { IssueBones } from "./Bones.tsx";
import { Content } from "./Content.tsx";
import { issueQuery, listed } from "./queries.ts";
import { useListAddress } from "./use-list-address.ts";

/** How often an issue with a session of an agent is refetched, in milliseconds. */
const glance = 60_000;
/** Characters of a title that the browser's tab and the heading need. */
const titleMax = 120;

export default function IssuePage() {
  const { projectId, issueId } = useParams({ from: "/inside/projects/$projectId/issues/$issueId" });
  const { event, facet, ...search } = useSearch({ from: "/inside/projects/$projectId/issues/$issueId" });
  const place = useMemo(() => ({ project: projectId, issue: issueId }), [projectId, issueId]);
  const list = useListAddress(projectId, search);
  // Where it is mounted again, the list may have another order.
  const [visit] = useState(() => `${performance.now()}`);
  const cache = useQueryClient();
  const issue = useQuery({
    ...issueQuery(place),
    placeholderData: () => listed(cache, place),
    // A session whose runner was lost is not announced.
    refetchInterval: ({ state }) => (state.data?.agent_session ? glance : false),
  });
  if (isStatus(issue.error, 404)) return <Gone project={projectId} />;
  const title = issue.data ? oneLine(`${issue.data.short_id}: ${issue.data.title.slice(0, titleMax)}`) : "Issue";
  return (
    <Page title={title} bare wide>
      <Answer query={issue} what="The issue" bones={<IssueBones />}>
        {(data) => (
          <Content issue={data} place={place} wanted={event} facet={facet} list={list} visit={visit} key={issueId} />
        )}
      </Answer>
    </Page>
  );
}

function Gone({ project }: { project: number }) {
  return (
    <Page title="Issue not found" bare>
      <Empty title="This project has no such issue" action={<Link to={paths.issues(project)}>Go to all issues</Link>}>
        <p>It was deleted, or the address is wrong.</p>
      </Empty>
    </Page>
  );
}
