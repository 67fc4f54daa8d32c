import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { givenViews, type SavedView, useViews, viewSearch } from "../pages/issues/views.ts";
import { paths } from "../paths.ts";
import { Count } from "../ui/Count.tsx";
import { Line } from "../ui/Text.tsx";
import classes from "./Nav.module.css";

/** Views that are listed before somebody asks for all of them. */
const handful = 5;

interface Listed extends SavedView {
  id?: number;
  issue_count?: number | null;
}

/** The saved views of a project's issues with their counts, the person's own first; the open one is always among them. */
export function ViewLinks({ project, open }: { project: number; open: SavedView | undefined }) {
  const [unfolded, setUnfolded] = useState(false);
  const all: Listed[] = [...useViews(project), ...givenViews];
  const shown = unfolded ? all : all.filter((view, at) => at < handful || view === open);
  return (
    <div role="group" aria-label="Saved views" className={classes.views}>
      {shown.map((view) => (
        <Link
          key={view.id ?? view.name}
          to={paths.issues(project)}
          search={viewSearch(view)}
          title={view.query}
          className={classes.view ?? ""}
          // By what it means, and not by how the address says it.
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          {...(view === open && { "aria-current": "page", "data-status": "active" })}
        >
          <Line text={view.name} />
          {view.issue_count ? (
            <span className={classes.hint}>
              <Count of={view.issue_count} unit="issues" />
            </span>
          ) : null}
        </Link>
      ))}
      {all.length > handful && (
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
