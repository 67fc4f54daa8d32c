import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseExact } from "../api/exact-json.ts";
import { JsonTree } from "./JsonTree.tsx";

const tree = (json: string, open?: number) =>
  renderToStaticMarkup(<JsonTree value={parseExact(json) as object} {...(open === undefined ? {} : { open })} />);

test("numbers that no double holds are shown as they were sent, like any number", () => {
  const markup = tree('{"id":9007199254740993,"of":{"rate":0.12345678901234567890,"small":7}}');
  expect(markup.match(/data-kind="number">[^<]*/g)).toEqual([
    'data-kind="number">9007199254740993',
    'data-kind="number">0.12345678901234567890',
    'data-kind="number">7',
  ]);
});

test("a closed entry names them among its first values", () => {
  expect(tree('{"order":{"id":-12345678901234567890,"list":[1],"paid":true}}', 1)).toContain(
    "-12345678901234567890 · true",
  );
});
