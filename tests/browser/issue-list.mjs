// The rows of the list of issues, as tests look at them.

import { fill } from "./seed.mjs";
import { eventually } from "./web.mjs";

const levels = ["fatal", "error", "warning"];

export const listOf = (project) => `/projects/${project.id}/issues`;
export const rows = (page) => page.locator("[data-issue]");
/** The issues of the rows, in their order. */
export const shown = (page) => rows(page).evaluateAll((all) => all.map((row) => Number(row.dataset.issue)));
export const check = (page, index) => rows(page).nth(index).getByRole("checkbox");

/** The rows, once there are so many. */
export async function loaded(page, count) {
  await eventually(() => rows(page).count(), count, "rows");
  return shown(page);
}

/** A new project with so many issues, of three levels by turns. */
export async function filled(server, name, count) {
  const project = await server.project(name);
  await fill(project, count, (index) => ({ level: levels[index % 3], exception: { message: `broke ${index}` } }));
  return project;
}
