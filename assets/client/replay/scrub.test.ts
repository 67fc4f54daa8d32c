import { expect, test } from "vitest";
import { address } from "../address.ts";
import { EventType, type Node as Recording, NodeType, type Recorded, Source } from "./format.ts";
import { scrubber } from "./scrub.ts";

let ids = 0;
const element = (tagName: string, attributes: Recording["attributes"] = {}, ...childNodes: Recording[]): Recording => ({
  type: NodeType.Element,
  id: (ids += 1),
  tagName,
  attributes,
  childNodes,
});
const text = (textContent: string, more: Partial<Recording> = {}): Recording => ({
  type: NodeType.Text,
  id: (ids += 1),
  textContent,
  ...more,
});

/** The page's own nodes, as far as they are read. */
const marked = { matches: () => true, nodeName: "P", parentNode: null };
const inside = { nodeName: "#text", parentNode: { nodeName: "SPAN", parentNode: marked } };
const shadowed = { nodeName: "#text", parentNode: { nodeName: "#document-fragment", parentNode: null, host: marked } };
const field = { nodeName: "INPUT", type: "text", parentNode: null };
const option = { nodeName: "OPTION", parentNode: null };
const style = { nodeName: "#text", parentNode: { nodeName: "STYLE", parentNode: null } };
const nodes: Record<number, unknown> = { 1: inside, 2: shadowed, 3: field, 4: option, 5: style, 6: { nodeName: "P" } };

function scrubbed(event: Omit<Recorded, "timestamp">, maskAllText = false): Recorded["data"] {
  const whole = { timestamp: 1, ...structuredClone(event) };
  scrubber({ maskAllText, address, nodeOf: (id) => (nodes[id] ?? null) as Node | null })(whole);
  return whole.data;
}
const picture = (node: Recording, all = false) =>
  scrubbed({ type: EventType.FullSnapshot, data: { node } }, all).node as Recording;
const change = (data: object, all = false) =>
  scrubbed({ type: EventType.Incremental, data: { source: Source.Mutation, ...data } }, all);

test("what people enter is masked everywhere, including attributes that rrweb leaves alone", () => {
  const form = element(
    "form",
    {},
    element("input", { type: "text", value: "Ada Lovelace" }),
    element("input", { type: "hidden", value: "csrf-123" }),
    element("input", { type: "checkbox", checked: true, value: "yes" }),
    element("input", { type: "submit", value: "Pay now" }),
    element("textarea", { value: "a secret" }, text("a secret")),
    element("select", { value: "red" }, element("option", { selected: true, value: "red" }, text("Red"))),
    element("div", { contenteditable: "true" }, element("p", {}, text("typed here"))),
    element("div", { "data-mayday-mask": "", title: "Jane Doe" }, text("Jane Doe")),
  );
  const said = JSON.stringify(picture(form));
  expect(said).not.toMatch(/Ada|Lovelace|csrf|a secret|typed|Jane|checked|selected|"yes"/);
  expect(said).toContain("Pay now");
  expect(said).toContain("Red");
  expect(said).toContain('"*** ********"');
});

test("with maskAllText no text is left, visible or read out, and styles stay", () => {
  const page = element(
    "body",
    {},
    element("img", { alt: "Ada", title: "Ada" }),
    element("p", { "aria-label": "Ada" }, text("Ada")),
    element("style", {}, text("p { color: red }", { isStyle: true })),
  );
  const said = JSON.stringify(picture(page, true));
  expect(said).not.toContain("Ada");
  expect(said).toContain("p { color: red }");
});

test("comments are removed, and addresses lose possible secrets", () => {
  const page = element(
    "body",
    {},
    { type: NodeType.Comment, id: 99, textContent: "internal" },
    element("a", { href: "https://ada:pw@shop.example/reset?token=abc&page=2" }),
    element("img", { src: "data:image/png;base64,AAAA", srcset: "/a.png?token=abc 2x" }),
  );
  const said = JSON.stringify(picture(page));
  expect(said).not.toMatch(/internal|abc|ada:pw/);
  expect(said).toContain("page=2");
  expect(said).toContain("data:image/png;base64,AAAA");
  expect(scrubbed({ type: EventType.Meta, data: { href: "https://shop.example/?code=1" } }).href).toContain(
    "[Filtered]",
  );
});

test("changes are masked by their position, also in shadow roots, and unknown nodes are masked", () => {
  const texts = [1, 2, 5, 6, 77].map((id) => ({ id, value: "Ada" }));
  expect(change({ texts }).texts).toEqual(
    [1, 2, 5, 6, 77].map((id) => ({ id, value: id === 5 || id === 6 ? "Ada" : "***" })),
  );
  const attributes = [
    { id: 3, attributes: { value: "Ada", class: "wide" } },
    { id: 4, attributes: { selected: true } },
  ];
  expect(change({ attributes }).attributes).toEqual([
    { id: 3, attributes: { value: "***", class: "wide" } },
    { id: 4, attributes: {} },
  ]);
  const adds = [{ parentId: 1, node: text("Ada") }];
  expect(JSON.stringify(change({ adds }).adds)).not.toContain("Ada");
});

test("input is masked, and choices are hidden", () => {
  const data = { source: Source.Input, id: 3, text: "4242 4242", isChecked: true };
  expect(scrubbed({ type: EventType.Incremental, data })).toMatchObject({ text: "**** ****", isChecked: false });
});
