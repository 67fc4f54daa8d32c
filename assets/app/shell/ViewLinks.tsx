import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { addressOf, partsOf } from "../pages/issues/address.ts";
import { givenViews, type SavedView, useOwnViews } from "../pages/issues/views.ts";
import { paths } from "../paths.ts";
import { Line } from "../ui/Text.tsx";
import classes from "./Nav.module.css";

/** Views that are listed before somebody asks for all of them. */
const handful = 5;

/** The saved views of a project's issues, the person's own first; the open one is always among them. */
export function ViewLinks({ project, open }: { project: number; open: SavedView | undefined }) {
  const [own] = useOwnViews(project);
  const [unfolded, setUnfolded] = useState(false);
  const all = [...own, ...givenViews];
  const shown = unfolded ? all : all.filter((view, at) => at < handful || view === open);
  return (
    <div role="group" aria-label="Saved views" className={classes.views}>
      {shown.map((view) => (
        <Link
          key={`${view.name} ${view.query}`}
          to={paths.issues(project)}
          search={addressOf(partsOf(view.query))}
          title={view.query}
          className={classes.view ?? ""}
          activeOptions={{ exact: false, includeSearch: true }}
        >
          <Line text={view.name} />
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
