import { type Health, type Me, type Meta, getHealth, getMeta } from "../api/server.ts";
import { paths } from "../paths.ts";
import { el, fill } from "./dom.ts";

/** The strip on top of every page: which instance this is, its version, its state, and who looks. */
export function header(me: Promise<Me | undefined>): HTMLElement {
  const instance = fact("Instance");
  const version = fact("Version");
  const status = fact("Status");
  const person = fact("Signed in");

  void show(instance, version, getMeta(), (meta: Meta) => {
    const name = meta.capabilities?.deployment?.displayName || location.hostname;
    fill(instance.value, name);
    instance.value.title = name;
    fill(version.value, meta.serverVersion);
    document.title = document.title.replace(/Mayday$/, `Mayday · ${name}`);
  });
  void show(status, undefined, getHealth(), (health: Health) => {
    fill(status.value, statusWord(health.ok, health.ok ? "Up" : `Degraded: ${health.reason}`));
  });
  void show(person, undefined, me, (someone: Me | undefined) => {
    fill(person.value, someone ? someone.name || someone.email : "Nobody");
    if (someone) person.value.title = someone.email;
  });

  return el(
    "header",
    { class: "top" },
    el("a", { href: paths.home, class: "brand" }, "Mayday"),
    el("dl", { class: "facts" }, instance.row, version.row, status.row, person.row),
  );
}

interface Fact {
  row: HTMLElement;
  value: HTMLElement;
}

function fact(label: string): Fact {
  const value = el("dd", {}, el("span", { class: "skeleton", "aria-label": "loading" }));
  return { row: el("div", { class: "fact" }, el("dt", {}, label), value), value };
}

async function show<T>(
  first: Fact,
  second: Fact | undefined,
  answer: Promise<T>,
  render: (value: T) => void,
): Promise<void> {
  try {
    render(await answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    for (const { value } of second ? [first, second] : [first]) {
      fill(value, statusWord(false, "Unknown"));
      value.title = reason;
    }
  }
}

/** A state as a mark and a word, since colour alone tells some people nothing. */
function statusWord(good: boolean, text: string): HTMLElement {
  return el("span", { class: good ? "state good" : "state bad" }, el("span", { "aria-hidden": "true" }, good ? "●" : "▲"), text);
}
