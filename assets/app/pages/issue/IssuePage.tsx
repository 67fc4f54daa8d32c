import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { isStatus } from "../../api/error.ts";
import { paths } from "../../paths.ts";
import { Page } from "../../ui/Page.tsx";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { IssueBones } from "./Bones.tsx";
import { Content } from "./Content.tsx";
import { issueQuery, listed } from "./queries.ts";
import { useListAddress } from "./use-list-address.ts";

/** Characters of a message that a tab and a heading need. */
const titleMax = 120;

export default function IssuePage() {
  const { projectId, issueId } = useParams({ from: "/inside/projects/$projectId/issues/$issueId" });
  const { event } = useSearch({ from: "/inside/projects/$projectId/issues/$issueId" });
  const place = useMemo(() => ({ project: projectId, issue: issueId }), [projectId, issueId]);
  const list = useListAddress(projectId);
  const cache = useQueryClient();
  const issue = useQuery({ ...issueQuery(place), placeholderData: () => listed(cache, place) });
  if (isStatus(issue.error, 404)) return <Gone project={projectId} />;
  const title = issue.data ? oneLine(`${issue.data.short_id}: ${issue.data.title.slice(0, titleMax)}`) : "Issue";
  return (
    <Page title={title} bare wide>
      <Answer query={issue} what="The issue" bones={<IssueBones />}>
        {(data) => <Content issue={data} place={place} wanted={event} list={list} key={issueId} />}
      </Answer>
    </Page>
  );
}

function Gone({ project }: { project: number }) {
  return (
    <Page title="No such issue" bare>
      <Empty title="This project has no such issue" action={<Link to={paths.issues(project)}>Back to the issues</Link>}>
        <p>It was deleted, or there never was one with this number.</p>
      </Empty>
    </Page>
  );
}
