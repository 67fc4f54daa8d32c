import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useId } from "react";
import { replayEnvironmentsQuery } from "../../api/replay-queries.ts";
import type { Replay } from "../../api/schema.d.ts";
import { useChoicesWanted } from "../../ui/first-input.ts";
import { issueQuery } from "../issue/queries.ts";
import { LimitSelects } from "../lists/LimitSelects.tsx";
import { useSearch } from "../releases/use-search.ts";
import classes from "./List.module.css";
import type { ReplaysSearch } from "./route.ts";

interface Props {
  project: number;
  search: ReplaysSearch;
  set: (change: ReplaysSearch) => void;
  first: RefObject<HTMLInputElement | null>;
  /** The listed replays, whose values can be selected. */
  replays: Replay[];
  children: ReactNode;
}

/** The filters of the list. */
export function Filters({ project, search, set, first, replays, children }: Props) {
  const of = (pick: (replay: Replay) => string | null | undefined) => [
    ...new Set(replays.map(pick).filter((value): value is string => !!value)),
  ];
  const { issue, has_error } = search;
  const { data: environments = [] } = useQuery({ ...replayEnvironmentsQuery(project), enabled: useChoicesWanted() });
  return (
    <search className={classes.bar} aria-label="Filters">
      <Text box={first} label="User: ID, e-mail or name" name="user" search={search} set={set} wide />
      <Text label="Page: part of its URL" name="url" search={search} set={set} wide />
      <Text label="Release" name="release" search={search} set={set} known={of((each) => each.release)} />
      <LimitSelects
        project={project}
        limits={search}
        more={[...environments, ...of((each) => each.environment)]}
        set={set}
      />
      <Checkbox
        size="xs"
        label="With errors"
        checked={has_error === "true"}
        onChange={(event) => set({ has_error: event.currentTarget.checked ? "true" : undefined })}
      />
      {issue !== undefined && <OfIssue project={project} issue={issue} clear={() => set({ issue: undefined })} />}
      {children}
    </search>
  );
}

function OfIssue({ project, issue, clear }: { project: number; issue: number; clear: () => void }) {
  const { data } = useQuery(issueQuery({ project, issue }));
  const name = `Issue ${data?.short_id ?? issue}`;
  return (
    <Button
      variant="default"
      aria-label={`${name}: remove this filter`}
      rightSection={<X size="1em" aria-hidden />}
      onClick={clear}
    >
      {name}
    </Button>
  );
}

interface TextProps {
  box?: RefObject<HTMLInputElement | null>;
  label: string;
  name: "user" | "url" | "release";
  search: ReplaysSearch;
  set: (change: ReplaysSearch) => void;
  wide?: boolean;
  /** Values to choose from; others can be typed. */
  known?: string[];
}

function Text({ box, label, name, search, set, wide = false, known }: TextProps) {
  const [typed, type] = useSearch(search[name] ?? "", (text) => set({ [name]: text || undefined }));
  const list = useId();
  return (
    <>
      <TextInput
        ref={box}
        className={(wide ? classes.search : classes.choice) ?? ""}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={256}
        list={known && list}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      {known && (
        <datalist id={list}>
          {known.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}
