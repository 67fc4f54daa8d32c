import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { issueCountQuery } from "../../api/queries.ts";
import { isLimited, type Limits, limitWords } from "../lists/limits.ts";
import type { Asked } from "./address.ts";
import { counted } from "../../ui/format.ts";
import { Empty, Loading } from "../../ui/States.tsx";
import { FirstSteps } from "../start/FirstSteps.tsx";

interface Props {
  project: number;
  asked: Asked;
  limits: Limits;
  show: (wanted: Partial<Asked>) => void;
  /** Shows issues of every environment and time. */
  unlimit: () => void;
}

/** Why the list is empty, and what to do next. */
export function NoIssues({ project, asked, limits, show, unlimit }: Props) {
  const all = useQuery(issueCountQuery(project));
  if (all.data === undefined) return <Loading rows={3} />;
  if (all.data === 0) return <FirstSteps project={project} />;
  if (isLimited(limits)) return <NoneWithin asked={asked} limits={limits} unlimit={unlimit} />;
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

/** No issues within the limits, or none that match the search. */
function NoneWithin({ asked, limits, unlimit }: Pick<Props, "asked" | "limits" | "unlimit">) {
  const isSearched = asked.words !== "" || asked.status === "resolved" || asked.status === "ignored";
  return (
    <Empty
      title={`${isSearched ? "No issue matches this search" : "Nothing"} ${limitWords(limits)}`}
      action={
        <Button variant="default" onClick={unlimit}>
          Show all environments and times
        </Button>
      }
    >
      <p>The list is limited to issues with events {limitWords(limits)}. New ones appear here on their own.</p>
    </Empty>
  );
}
