// What is done to a saved view at once, with a way back.

import type { QueryClient } from "@tanstack/react-query";
import type { NewView, View } from "../../api/schema.d.ts";
import { changeView, deleteView, saveView, type ViewContent } from "../../issue-search/views.ts";
import { done, problem } from "../../ui/notify.ts";
import { oneLine } from "../../ui/visible.ts";

/** A view as it is saved. */
const contentOf = ({ name, query, sort, environment, period, shared }: View): NewView => ({
  name,
  query,
  sort,
  environment,
  period,
  shared,
});

/** Deletes a view of the person's own, and offers to save it again. */
export async function removeView(cache: QueryClient, project: number, view: View): Promise<void> {
  const name = oneLine(view.name);
  const restore = () =>
    void saveView(cache, project, contentOf(view)).catch((error: unknown) =>
      problem(`View ${name} could not be saved again`, error),
    );
  try {
    await deleteView(cache, project, view);
    done(`View ${name} deleted`, restore);
  } catch (error) {
    problem(`View ${name} could not be deleted`, error);
  }
}

/** Deletes another person's view, which cannot be undone: nor is a change of it from right before. */
export async function removeForAll(cache: QueryClient, project: number, view: View): Promise<void> {
  await deleteView(cache, project, view);
  done(`View ${oneLine(view.name)} deleted`, null);
}

/** Makes a view keep another search under the same name, and offers to change it back. */
export async function updateView(cache: QueryClient, project: number, view: View, search: ViewContent): Promise<void> {
  const name = oneLine(view.name);
  const { query, sort, environment, period } = view;
  const restore = () =>
    void changeView(cache, project, view, { query, sort, environment, period }).catch((error: unknown) =>
      problem(`View ${name} could not be changed back`, error),
    );
  try {
    // All of it: what is not given would stay.
    await changeView(cache, project, view, { sort: "last_seen", environment: null, period: null, ...search });
    done(`View ${name} updated`, restore);
  } catch (error) {
    problem(`View ${name} could not be updated`, error);
  }
}
