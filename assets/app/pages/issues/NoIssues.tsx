import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { issueCountQuery } from "../../api/queries.ts";
import type { Asked } from "./address.ts";
import { counted } from "../../ui/format.ts";
import { Empty, Loading } from "../../ui/States.tsx";
import { FirstSteps } from "../start/FirstSteps.tsx";

/** Why the list is empty, and what to do next. */
export function NoIssues({
  project,
  asked,
  show,
}: {
  project: number;
  asked: Asked;
  show: (wanted: Partial<Asked>) => void;
}) {
  const all = useQuery(issueCountQuery(project));
  if (all.data === undefined) return <Loading rows={3} />;
  if (all.data === 0) return <FirstSteps project={project} />;
  if (asked.status === "unresolved" && asked.words === "") {
    return (
      <Empty
        title="No unresolved issues"
        action={
          <Button variant="default" onClick={() => show({ status: "all", words: "" })}>
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
        <Button variant="default" onClick={() => show({ status: "all", words: "" })}>
          Show all {counted(all.data, "issue")}
        </Button>
      }
    >
      <p>Try fewer words or filters. A leading “-” excludes a term; quotes keep words together.</p>
    </Empty>
  );
}
