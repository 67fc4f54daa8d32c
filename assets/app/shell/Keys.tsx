import { Kbd } from "@mantine/core";
import { Fragment } from "react";
import { mod } from "./keys.ts";

const names: Record<string, string> = {
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "Enter",
  " ": "Space",
};

/** `g i` as two keys, `mod+k` as one chord. */
export function Keys({ keys }: { keys: string }) {
  return (keys === " " ? [keys] : keys.split(" ")).map((key, at) => (
    <Fragment key={`${key}${at}`}>
      {at > 0 && " then "}
      <Kbd size="xs">
        {key
          .split("+")
          .map((part) => (part === "mod" ? mod : (names[part] ?? (part.length === 1 ? part.toUpperCase() : part))))
          .join(" + ")}
      </Kbd>
    </Fragment>
  ));
}
