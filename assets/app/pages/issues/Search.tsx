import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { api, ok } from "../../api/client.ts";
import { environmentsQuery } from "../../api/project-queries.ts";
import { useIdle } from "../../hooks/use-idle.ts";
import { Deferred } from "../../ui/Deferred.tsx";
import { skipWaiting } from "../../ui/first-input.ts";
import { useMembers } from "./members.ts";
import { SearchField } from "./SearchField.tsx";
import type { Known } from "./suggest.ts";

interface Props {
  project: number;
  value: string;
  environments: string[];
  input: RefObject<HTMLInputElement | null>;
  refusal: string | undefined;
  /** Runs a query and returns the text that stays in the field: a status moves to its own control. */
  search: (query: string) => string;
  /** Gives the focus to the list. */
  leave: () => void;
}

const load = () => import("./SearchBox.tsx");

/** The list's filter, with suggestions once their code is there. */
export function Search({ project, value, environments, input, refusal, search, leave }: Props) {
  const [draft, setDraft] = useState({ text: value, caret: value.length });
  const [touched, setTouched] = useState(false);
  // A trailing space stays, so that typing can continue.
  useEffect(() => setDraft((now) => (now.text.trim() === value ? now : { ...now, text: value })), [value]);
  const known = useKnown(project, environments, touched);
  const field = {
    draft,
    setDraft,
    input,
    refusal,
    go: (query: string) => {
      const words = search(query.trim());
      if (words !== query.trim()) setDraft({ text: words, caret: words.length });
    },
    touch: () => {
      setTouched(true);
      // The field may get the focus without a pointer or a key.
      skipWaiting();
    },
  };
  const giveUp = () => {
    setDraft({ text: value, caret: value.length });
    leave();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") field.go(draft.text);
    if (event.key === "Escape") giveUp();
  };
  return (
    <Deferred load={load} props={{ ...field, project, known, leave: giveUp }}>
      {() => <SearchField {...field} onKeyDown={press} />}
    </Deferred>
  );
}

/** Values to suggest; requested once somebody starts to search. */
function useKnown(project_id: number, listed: string[], wanted: boolean): Omit<Known, "facets"> {
  const isIdle = useIdle();
  // Somebody may be assigned by a key right away.
  const members = useMembers(project_id, isIdle || wanted);
  const releases = useQuery({
    queryKey: ["project", project_id, "releases", "newest"],
    queryFn: ({ signal }) => {
      const params = { path: { project_id }, query: { limit: 50 } };
      return ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
    },
    enabled: wanted,
  });
  const environments = useQuery({ ...environmentsQuery(project_id), enabled: wanted });
  return {
    members,
    environments: [...new Set([...(environments.data ?? []), ...listed])].filter((name) => name !== ""),
    releases: releases.data?.releases.map(({ version }) => version) ?? [],
  };
}
