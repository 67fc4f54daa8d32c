import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useLatest } from "../../ui/use-latest.ts";
import type { LogSearch } from "./address.ts";

/** Changes what is shown, in the address. */
export type Show = (change: Partial<LogSearch>) => void;

/** Opening and closing the entry beside the list, or a panel, leaves the list where it is. */
const beside = new Set<string>(["entry", "context", "fields"]);

export function useShow(project: number, search: LogSearch): Show {
  const navigate = useNavigate();
  const latest = useLatest(search);
  return useCallback(
    (change) => {
      const stays = Object.keys(change).every((name) => beside.has(name));
      void navigate({
        to: "/projects/$projectId/logs",
        params: { projectId: project },
        search: { ...latest.current, ...change },
        resetScroll: !stays,
      });
    },
    [latest, navigate, project],
  );
}
