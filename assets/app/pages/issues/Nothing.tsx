import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { issueCountQuery } from "../../api/queries.ts";
import type { IssueSearch } from "./route.ts";
import { counted } from "../../ui/format.ts";
import { Empty, Loading } from "../../ui/States.tsx";
import { FirstSteps } from "../start/FirstSteps.tsx";
import { defaultQuery } from "./query.ts";

/** Why the list is empty, and what to do next. */
export function Nothing({
  project,
  query,
  show,
}: {
  project: number;
  query: string;
  show: (search: IssueSearch) => void;
}) {
  const all = useQuery(issueCountQuery(project));
  if (all.data === undefined) return <Loading rows={3} />;
  if (all.data === 0) return <FirstSteps project={project} />;
  if (query === defaultQuery) {
    return (
      <Empty
        title="No unresolved issues"
        action={
          <Button variant="default" onClick={() => show({ query: "" })}>
            Show all {counted(all.data, "issue")}
          </Button>
        }
      >
        <p>Every issue so far is resolved or ignored. New errors appear here on their own.</p>
      </Empty>
    );
  }
  return (
    <Empty
      title="No issue matches this search"
      action={
        <Button variant="default" onClick={() => show({ query: "" })}>
          Show all {counted(all.data, "issue")}
        </Button>
      }
    >
      <p>Try fewer words or filters. A leading “-” excludes a term; quotes keep words together.</p>
    </Empty>
  );
}
