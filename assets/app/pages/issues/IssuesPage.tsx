import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { isStatus, messageOf } from "../../api/error.ts";
import { projectQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import {
  addressOf,
  type Asked,
  askedOf,
  filtersOf,
  type IssueSearch,
  partsOf,
  typed,
  wholeOf,
} from "../../issue-search/address.ts";
import { isLimited, type Limits, noLimits } from "../../navigation/limits.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { Deferred } from "../../ui/Deferred.tsx";
import { useFirstInput } from "../../ui/first-input.ts";
import { Sentence } from "../../ui/Text.tsx";
import { loadIssuePage } from "../issue/route.ts";
import { LimitSelects } from "../lists/LimitSelects.tsx";
import { missingWords } from "../settings/quarantine/words.ts";
import classes from "./Bar.module.css";
import { IssueResults } from "./IssueResults.tsx";
import { focusList } from "./focus.ts";
import { refusal } from "./refusal.ts";
import { Search } from "./Search.tsx";
import { type Range, useIssueRows } from "./use-issue-rows.ts";
import { ViewsButton, type ViewsProps } from "./ViewsButton.tsx";

const loadViewsMenu = () => import("./ViewsMenu.tsx");

const refusalId = "search-refusal";

const sortsOf = (limits: Limits) => [
  { value: "last_seen", label: "Sort: last seen" },
  { value: "first_seen", label: "Sort: first seen" },
  { value: "events", label: "Sort: events" },
  // They are not counted within the limits.
  { value: "users", label: isLimited(limits) ? "Sort: all users" : "Sort: users" },
];

export default function IssuesPage() {
  const { projectId: project } = useParams({ from: "/inside/projects/$projectId" });
  const search = useSearch({ from: "/inside/projects/$projectId/issues" });
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const asked = askedOf(search);
  const sort = search.sort ?? "last_seen";
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const rows = useIssueRows(project, filters, useDeferredValue(range));
  const input = useRef<HTMLInputElement>(null);
  useIssuePageReady();

  const go = (change: IssueSearch) => {
    window.scrollTo(0, 0);
    void navigate({
      to: "/projects/$projectId/issues",
      params: { projectId: project },
      search: { ...search, ...change },
    });
  };
  const show = (wanted: Partial<Asked>) => go(addressOf({ ...asked, ...wanted }));
  const searchFor = (text: string) => {
    const wanted = typed(text, asked.status);
    if (wholeOf(wanted) !== wholeOf(asked)) show(wanted);
    return wanted.words;
  };
  const environments = [...new Set([...rows.byId.values()].flatMap((issue) => issue.environments))].sort();
  const wrong = isStatus(rows.error, 422) ? refusal(messageOf(rows.error)) : undefined;

  return (
    <Page section="issues" wide>
      <SetAsideNote project={project} />
      <div className={classes.bar}>
        <SavedViews project={project} query={wholeOf(asked)} show={(view) => show(partsOf(view))} />
        <Search
          project={project}
          value={asked.words}
          environments={environments}
          input={input}
          refusal={wrong === undefined ? undefined : refusalId}
          search={searchFor}
          leave={focusList}
        />
        <LimitSelects project={project} limits={search} set={go} />
        <NativeSelect
          size="sm"
          w="10rem"
          aria-label="Sort by"
          data={sortsOf(search)}
          value={sort}
          onChange={({ currentTarget: { value } }) =>
            go({ sort: value === "last_seen" ? undefined : value } as IssueSearch)
          }
        />
      </div>
      {wrong !== undefined && (
        <p id={refusalId} className={classes.refusal}>
          <Sentence text={wrong} />
        </p>
      )}
      <IssueResults
        key={project}
        project={project}
        filters={filters}
        search={search}
        asked={asked}
        rows={rows}
        setRange={setRange}
        input={input}
        show={show}
        unlimit={() => go(noLimits)}
      />
    </Page>
  );
}

/** Queries to come back to, and a way to keep the one of now. */
function SavedViews(props: ViewsProps) {
  return (
    <Deferred load={loadViewsMenu} props={props}>
      {(press) => <ViewsButton {...press} />}
    </Deferred>
  );
}

/** Most people who come here open an issue: its page is there before they point at one. */
function useIssuePageReady(): void {
  const hasInput = useFirstInput();
  useEffect(() => {
    // If this fails, the code is loaded with the page.
    if (hasInput) loadIssuePage().catch(() => undefined);
  }, [hasInput]);
}

/** Tells people who can act on it that events are in quarantine. */
function SetAsideNote({ project }: { project: number }) {
  const { mayAdminister } = useRights(project);
  const count = useQuery(projectQuery(project)).data?.set_aside ?? 0;
  if (!mayAdminister || count === 0) return null;
  return (
    <p className={classes.note} role="note">
      <TriangleAlert aria-hidden />
      <span>
        {missingWords(count)} <Link to={paths.settings(project, "set-aside")}>See why</Link>
      </span>
    </p>
  );
}
