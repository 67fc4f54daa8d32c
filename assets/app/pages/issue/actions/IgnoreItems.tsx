import { Menu } from "@mantine/core";
import type { Change } from "../../../api/schema.d.ts";
import type { Question } from "./question.ts";

const hour = 3_600_000;
const pauses: [words: string, length: number][] = [
  ["1 hour", hour],
  ["1 day", 24 * hour],
  ["1 week", 168 * hour],
];

interface Props {
  /** `said` describes it: `ignored for 1 day`. */
  ignore: (change: Change, said: string) => void;
  ask: (question: Question) => void;
}

/** The ways to ignore, for one issue or for several. */
export function IgnoreItems({ ignore, ask }: Props) {
  const pause = (words: string, length: number) => {
    const ignore_until = new Date(Date.now() + length).toISOString();
    ignore({ status: "ignored", ignore_until }, `ignored for ${words}`);
  };
  return (
    <>
      <Menu.Item onClick={() => ignore({ status: "ignored" }, "ignored")}>Indefinitely</Menu.Item>
      <Menu.Divider />
      {pauses.map(([words, length]) => (
        <Menu.Item key={words} onClick={() => pause(words, length)}>
          For {words}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => ask("until")}>Until a date and time…</Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => ask("events")}>Until more events…</Menu.Item>
      <Menu.Item onClick={() => ask("users")}>Until more users…</Menu.Item>
    </>
  );
}
