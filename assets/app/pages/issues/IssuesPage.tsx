import { Button, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useRef, useState } from "react";
import { isStatus, messageOf } from "../../api/error.ts";
import { issueCountQuery } from "../../api/queries.ts";
import type { IssueSearch } from "../../routes.tsx";
import { counted } from "../../ui/format.ts";
import { problem } from "../../ui/notify.tsx";
import { Page } from "../../ui/Page.tsx";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { FirstSteps } from "../start/FirstSteps.tsx";
import classes from "./Bar.module.css";
import { ChangeMenus, type Run } from "./ChangeMenus.tsx";
import { changeMost, idsOf, useChangeIssues } from "./change.ts";
import { useHeldOrder } from "./held.ts";
import { useListKeys } from "./keys.ts";
import { List } from "./List.tsx";
import { defaultQuery, type View, viewOf, views, withView } from "./query.ts";
import { SavedViews } from "./SavedViews.tsx";
import { Search } from "./Search.tsx";
import { useSelection } from "./selection.ts";
import { type Range, type Rows, useIssueRows } from "./useIssueRows.ts";

const sorts = [
  { value: "last_seen", label: "Last seen" },
  { value: "first_seen", label: "First seen" },
  { value: "events", label: "Events" },
  { value: "users", label: "Users" },
];

export default function IssuesPage() {
  const { projectId: project } = useParams({ from: "/inside/projects/$projectId" });
  const search = useSearch({ from: "/inside/projects/$projectId/issues" });
  const navigate = useNavigate();
  const query = search.query ?? defaultQuery;
  const sort = search.sort ?? "last_seen";
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const rows = useIssueRows(project, { query, sort }, useDeferredValue(range));
  const input = useRef<HTMLInputElement>(null);

  const show = useCallback(
    (change: IssueSearch) => {
      const next = { ...search, ...change };
      if (next.query === defaultQuery) delete next.query;
      window.scrollTo(0, 0);
      void navigate({ to: "/projects/$projectId/issues", params: { projectId: project }, search: next });
    },
    [search, navigate, project],
  );
  const environments = [...new Set([...rows.byId.values()].flatMap((issue) => issue.environments))].sort();
  const wrong = isStatus(rows.error, 422) ? messageOf(rows.error) : undefined;

  return (
    <Page title="Issues" wide>
      <div className={classes.bar}>
        <SavedViews project={project} query={query} show={(wanted) => show({ query: wanted })} />
        <Search
          project={project}
          value={query}
          environments={environments}
          input={input}
          error={wrong}
          search={(wanted) => wanted !== query && show({ query: wanted })}
        />
        <Select
          size="sm"
          w="9rem"
          aria-label="Sort by"
          data={sorts}
          value={sort}
          allowDeselect={false}
          onChange={(value) => show({ sort: value === "last_seen" ? undefined : value } as IssueSearch)}
        />
      </div>
      <Found key={project} project={project} query={query} sort={sort} rows={rows} setRange={setRange} input={input} show={show} />
    </Page>
  );
}

interface FoundProps {
  project: number;
  query: string;
  sort: string;
  rows: Rows;
  setRange: (range: Range) => void;
  input: React.RefObject<HTMLInputElement | null>;
  show: (search: IssueSearch) => void;
}

/** The list with its tools, or what stands in its place. */
function Found({ project, query, sort, rows, setRange, input, show }: FoundProps) {
  const [pointed, setPointed] = useState(false);
  const [menu, setMenu] = useState<string>();
  const [asked, setAsked] = useState(`${query}\n${sort}`);
  const change = useChangeIssues(project, rows.byId);
  const [holding, setHolding] = useState(false);
  const held = useHeldOrder(`${query}\n${sort}\n${rows.old}`, rows.order, holding && !rows.old);
  const selection = useSelection(held.shown);
  const hold = pointed || selection.chosen.size > 0 || selection.cursor !== undefined;
  if (hold !== holding) setHolding(hold);
  if (asked !== `${query}\n${sort}`) {
    setAsked(`${query}\n${sort}`);
    selection.reset();
  }

  const atCursor = selection.cursor === undefined ? undefined : held.shown[selection.cursor];
  const targets = selection.chosen.size > 0 ? [...selection.chosen] : atCursor === undefined ? [] : [atCursor];
  const run: Run = (what, said) => {
    if (targets.length === 0) return;
    held.expect();
    void change(targets, what, said).then((did) => did && selection.clear());
  };
  useListKeys({ selection, order: held.shown, targets, run, setMenu, input });

  if (rows.total === undefined) {
    if (isStatus(rows.error, 422)) return null;
    return rows.error ? <Failed error={rows.error} what="The issues" retry={rows.retry} /> : <Loading rows={12} label="Loading issues" />;
  }
  const chooseAll = (wanted: boolean) => selection.set(wanted ? held.shown.filter((id) => id !== undefined) : []);
  const chooseMatching = () => void idsOf(project, query).then(selection.set, (error) => problem("Not all issues could be found", error));
  return (
    <>
      <div className={classes.tools}>
        {targets.length > 0 ? (
          <>
            <span role="status" className="number">
              {selection.chosen.size > 0 ? `${counted(selection.chosen.size, "issue")} chosen` : "The issue at the cursor"}
            </span>
            <ChangeMenus project={project} run={run} open={menu} setOpen={setMenu} />
            {selection.chosen.size > 0 && selection.chosen.size < Math.min(rows.total, changeMost) && (
              <Button variant="subtle" onClick={chooseMatching}>
                Choose {rows.total > changeMost ? `the first ${counted(changeMost, "issue")}` : `all ${counted(rows.total, "issue")}`}
              </Button>
            )}
            <Button variant="subtle" color="gray" onClick={selection.reset}>
              Clear
            </Button>
          </>
        ) : (
          <>
            <SegmentedControl
              size="xs"
              aria-label="Status"
              data={views.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }))}
              value={viewOf(query) ?? ""}
              onChange={(value) => show({ query: withView(query, value as View) })}
            />
            <span className={`${classes.count} number`} role="status">
              {counted(rows.total, "issue")}
            </span>
          </>
        )}
        {held.late > 0 && (
          <Button className={classes.push ?? ""} variant="light" onClick={() => { held.release(); selection.reset(); setPointed(false); }}>
            {held.late > 1 ? `${counted(held.late, "issue")} moved: show` : "The order has changed: show"}
          </Button>
        )}
      </div>
      {rows.total === 0 ? (
        <Nothing project={project} query={query} show={show} />
      ) : (
        <List
          order={held.shown}
          byId={rows.byId}
          old={rows.old}
          chosen={selection.chosen}
          choose={selection.choose}
          chooseAll={chooseAll}
          cursor={selection.cursor}
          setRange={setRange}
          setPointed={setPointed}
        />
      )}
    </>
  );
}

/** Why there is nothing, and what to do next. */
function Nothing({ project, query, show }: { project: number; query: string; show: (search: IssueSearch) => void }) {
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
        <p>Everything that broke so far is resolved or ignored. New errors appear here by themselves.</p>
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
      <p>Fewer words or filters find more. A leading “-” excludes; quotes hold words together.</p>
    </Empty>
  );
}
