import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { issueCountQuery } from "../../api/queries.ts";
import type { Asked } from "../../issue-search/address.ts";
import { isLimited, type Limits, limitWords } from "../../navigation/limits.ts";
import { paths } from "../../paths.ts";
import { counted } from "../../ui/format.ts";
import { Empty, Loading } from "../../ui/States.tsx";
import { emptyWords } from "./empty-words.ts";

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
  const { title, hint } = emptyWords(asked);
  return (
    <Empty
      title={title}
      action={
        <Button variant="default" onClick={() => show({ status: "all", words: "" })}>
          Show all {counted(all.data, "issue")}
        </Button>
      }
    >
      <p>{hint}</p>
    </Empty>
  );
}

/** Replaces the list of a search that the server refuses; below the search stands why. */
export function NotUnderstood({ clear }: { clear: () => void }) {
  return (
    <Empty
      title="Search not understood"
      action={
        <Button variant="default" onClick={clear}>
          Clear search
        </Button>
      }
    >
      <p>Nothing was searched. Change the search above, or clear it to see the issues again.</p>
    </Empty>
  );
}

/** Replaces a list while the project has no events. */
function FirstSteps({ project }: { project: number }) {
  return (
    <Empty
      title="No errors yet"
      action={
        <Button component={Link} to={paths.start(project)}>
          Send the first event
        </Button>
      }
    >
      <p>Paste one snippet into your application, and its errors will appear here.</p>
    </Empty>
  );
}

/** No events within the limits, or none of issues that match. */
function NoneWithin({ asked, limits, unlimit }: Pick<Props, "asked" | "limits" | "unlimit">) {
  const isSearched = asked.words !== "" || asked.status === "resolved" || asked.status === "ignored";
  const others = [
    ...(limits.environment === undefined ? [] : ["other environments"]),
    ...(limits.period === undefined ? [] : ["earlier times"]),
  ];
  return (
    <Empty
      title={`${isSearched ? "No matching issues" : "No issues"} ${limitWords(limits)}`}
      action={
        <Button variant="default" onClick={unlimit}>
          Show all environments and times
        </Button>
      }
    >
      <p>Issues of {others.join(" or ")} are not listed.</p>
    </Empty>
  );
}
