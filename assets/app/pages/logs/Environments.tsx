import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serverNow } from "../../api/server-clock.ts";
import { useChoicesWanted } from "../../ui/first-input.ts";
import { EnvironmentSelect } from "../lists/LimitSelects.tsx";
import { ranges } from "./address.ts";
import { fieldsQuery } from "./queries.ts";
import { filtersOf } from "./range.ts";

interface Props {
  project: number;
  value: string | undefined;
  set: (environment: string | undefined) => void;
}

/**
 * Selects the environment of the logs: one of the errors', or one of the last month's entries, which are loaded once.
 */
export function Environments({ project, value, set }: Props) {
  const [filters] = useState(() => {
    const end = serverNow();
    return filtersOf({ query: undefined, levels: undefined }, { start: end - ranges["30d"].length, end });
  });
  const { data } = useQuery({ ...fieldsQuery(project, filters, "environment"), enabled: useChoicesWanted() });
  const more = data?.values.map((each) => each.value) ?? [];
  return <EnvironmentSelect project={project} value={value} more={more} set={set} />;
}
