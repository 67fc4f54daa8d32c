// Holds what is open over a page, which a look at the page beneath it does not judge, to every rule of WCAG that axe
// knows, whatever its impact, and to stand in a landmark or a dialog: people who go from one to the next find it there.

import assert from "node:assert/strict";
import { axe, holds, picture } from "./web.mjs";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Each scheme on a wide screen, and on a narrow one, where less fits. */
const looks = [
  { width: 1440, scheme: "light" },
  { width: 1440, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
];

/** What is open on the page, in the looks of these widths; pictures are kept as `output/<name>-<width>-<scheme>.png`. */
export async function judge(page, name, widths = [1440]) {
  for (const { width, scheme } of looks.filter((look) => widths.includes(look.width))) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await holds(page, (wanted) => document.documentElement.dataset.mantineColorScheme === wanted, scheme);
    // What moved under the pointer would show its tooltip.
    await page.mouse.move(width - 1, 899);
    await holds(page, () => document.querySelector('[role="tooltip"]') === null);
    await assertKeepsWcag(page, `${name} at ${width} px, ${scheme}`);
    await picture(page, `${name}-${width}-${scheme}`);
  }
}

async function assertKeepsWcag(page, what) {
  await page.evaluate(axe);
  const { broken, scroll, shown } = await page.evaluate(async (values) => {
    const rules = { region: { enabled: true } };
    const { violations } = await window.axe.run({ resultTypes: ["violations"], runOnly: { type: "tag", values }, rules });
    // What is covered is no target, not even where a part of it can be seen.
    const open = [...document.querySelectorAll('[aria-modal="true"], [role="listbox"], [role="menu"]')];
    const beside = [...document.querySelectorAll('[role="dialog"]:not([aria-modal="true"]), .mantine-Combobox-dropdown')];
    const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    const isCovered = ({ target }) => {
      const element = document.querySelector(target[0]);
      if (open.length > 0 && !open.some((each) => each.contains(element))) return true;
      return beside.some((each) => !each.contains(element) && meet(each.getBoundingClientRect(), element.getBoundingClientRect()));
    };
    for (const one of violations) if (one.id === "target-size") one.nodes = one.nodes.filter((node) => !isCovered(node));
    const broken = violations.filter(({ nodes }) => nodes.length > 0);
    const told = ({ html, failureSummary }) => `${html.slice(0, 300)}\n${failureSummary}`;
    const { scrollWidth: scroll, clientWidth: shown } = document.documentElement;
    return { broken: broken.map(({ id, nodes }) => [id, ...nodes.slice(0, 5).map(told)]), scroll, shown };
  }, tags);
  assert.deepEqual(broken, [], `${what}: nothing that WCAG forbids`);
  assert.ok(scroll <= shown, `${what}: ${scroll} px wide on a screen of ${shown} px`);
}
