import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import {
  countedWords,
  givenViews,
  type SavedView,
  useGivenCounts,
  useViews,
  viewSearch,
  viewWords,
} from "../issue-search/views.ts";
import { limitsOf } from "../navigation/limits.ts";
import { useCarried } from "../navigation/use-carried.ts";
import { paths } from "../paths.ts";
import { Count } from "../ui/Count.tsx";
import { Line } from "../ui/Text.tsx";
import classes from "./Nav.module.css";

/** How many views are listed at first. */
const handful = 4;
/** The same in a low window. */
const few = 2;
const low = "(max-height: 50em)";

interface Listed extends SavedView {
  id?: number;
  issue_count?: number | null;
}

function ViewCount({ of, unit }: { of: number | undefined; unit: string }) {
  if (!of) return null;
  return (
    <span className={classes.hint}>
      <Count of={of} unit={unit} />
    </span>
  );
}

/**
 * The saved views of a project's issues, the person's own first, with how many issues each shows when it is opened; the
 * open one is always among them.
 */
export function ViewLinks({ project, open }: { project: number; open: SavedView | undefined }) {
  const [unfolded, setUnfolded] = useState(false);
  const most = useMediaQuery(low, matchMedia(low).matches, { getInitialValueInEffect: false }) ? few : handful;
  const limits = limitsOf(useCarried("issues"));
  const all: Listed[] = [...useViews(project, limits), ...givenViews];
  const shown = unfolded ? all : all.filter((view, at) => at < most || view === open);
  const counts = useGivenCounts(
    project,
    givenViews.filter((view) => shown.includes(view)),
    limits,
  );
  return (
    <div role="group" aria-label="Saved views" className={classes.views}>
      {shown.map((view) => (
        <Link
          key={view.id ?? view.name}
          to={paths.issues(project)}
          search={viewSearch(view, limits)}
          title={viewWords(view)}
          className={classes.view ?? ""}
          // Compares the query's meaning, not its spelling.
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          {...(view === open && { "aria-current": "page", "data-status": "active" })}
        >
          <Line text={view.name} />
          <ViewCount
            of={view.id === undefined ? counts.get(view.name) : (view.issue_count ?? undefined)}
            unit={countedWords(view, limits)}
          />
        </Link>
      ))}
      {all.length > most && (
        <button
          type="button"
          className={classes.view}
          aria-expanded={unfolded}
          onClick={() => setUnfolded((was) => !was)}
        >
          {unfolded ? "Fewer views" : "All views"}
        </button>
      )}
    </div>
  );
}
