// What is done to a saved view at once, with a way back.

import type { QueryClient } from "@tanstack/react-query";
import type { NewView, View } from "../../api/schema.d.ts";
import { deleteView, saveView } from "../../issue-search/views.ts";
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
