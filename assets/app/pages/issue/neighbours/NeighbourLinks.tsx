import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useRef } from "react";
import type { IssueSearch } from "../../../issue-search/address.ts";
import { paths } from "../../../paths.ts";
import type { Neighbours } from "./use-neighbours.ts";

/** The button that led to this page, by its name: it gets the focus there, too. */
let pressed: string | undefined;

/** Links to the previous and next issues. */
export function NeighbourLinks({
  project,
  list,
  neighbours,
}: {
  project: number;
  list: IssueSearch;
  neighbours: Neighbours;
}) {
  const { previous, next, note } = neighbours;
  const common = { project, list, note };
  return (
    <>
      <Neighbour {...common} name="Previous issue" shortcut="K" Icon={ChevronUp} to={previous} />
      <Neighbour {...common} name="Next issue" shortcut="J" Icon={ChevronDown} to={next} />
    </>
  );
}

interface Props {
  name: string;
  shortcut: string;
  Icon: typeof ChevronUp;
  project: number;
  /** The address of the list. */
  list: IssueSearch;
  /** `undefined` at the end of the list. */
  to: number | undefined;
  note: Neighbours["note"];
}

/** At the end of the list it is disabled, and keeps the focus of who got there by it. */
function Neighbour({ name, shortcut, Icon, project, list, to, note }: Props) {
  const button = useRef<HTMLElement>(null);
  useEffect(() => {
    if (pressed !== name) return;
    pressed = undefined;
    button.current?.focus();
  }, [name]);
  const common = { variant: "default", "aria-label": name } as const;
  const icon = <Icon size="1em" aria-hidden />;
  if (to === undefined)
    return (
      <ActionIcon {...common} ref={button as never} data-disabled aria-disabled>
        {icon}
      </ActionIcon>
    );
  return (
    <ActionIcon
      {...common}
      data-tip={`${name}  ${shortcut}`}
      ref={button as never}
      onClick={({ metaKey, ctrlKey, shiftKey }) => {
        if (metaKey || ctrlKey || shiftKey) return;
        pressed = name;
        note(to);
      }}
      renderRoot={(props) => <Link to={paths.issue(project, to)} search={list} state replace {...props} />}
    >
      {icon}
    </ActionIcon>
  );
}
