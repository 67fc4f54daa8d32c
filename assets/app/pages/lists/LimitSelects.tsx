import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../api/project-queries.ts";
import { environmentChoices, type Limits, type Period, periodOf, periods } from "../../navigation/limits.ts";
import { useChoicesWanted } from "../../ui/first-input.ts";
import { oneLine } from "../../ui/visible.ts";
import classes from "./LimitSelects.module.css";

const times = [
  { value: "", label: "Any time" },
  ...(Object.keys(periods) as Period[]).map((value) => ({ value, label: periods[value] })),
];

interface EnvironmentProps {
  project: number;
  value: string | undefined;
  /** Further environments that the page knows. */
  more?: readonly string[] | undefined;
  set: (environment: string | undefined) => void;
}

/** Selects the environment of a page. The other choices are loaded when the control may be opened. */
export function EnvironmentSelect({ project, value, more = [], set }: EnvironmentProps) {
  const { data } = useQuery({ ...environmentsQuery(project), enabled: useChoicesWanted() });
  return (
    <NativeSelect
      size="sm"
      className={classes.environment ?? ""}
      style={{ "--letters": value?.length ?? 0 }}
      aria-label="Environment"
      title={value === undefined ? undefined : oneLine(value)}
      data={environmentChoices([...new Set([...(data ?? []), ...more])], value)}
      value={value ?? ""}
      onChange={({ currentTarget }) => set(currentTarget.value === "" ? undefined : currentTarget.value)}
    />
  );
}

interface PeriodProps {
  /** Another name, for a page that has more periods. */
  label?: string | undefined;
  value: Period | undefined;
  set: (period: Period | undefined) => void;
}

/** Which period a page is limited to. */
function PeriodSelect({ label = "Period", value, set }: PeriodProps) {
  return (
    <NativeSelect
      size="sm"
      w="9rem"
      aria-label={label}
      data={times}
      value={value ?? ""}
      onChange={({ currentTarget }) => set(periodOf(currentTarget.value))}
    />
  );
}

interface Props {
  project: number;
  limits: Limits;
  /** Further environments that the page knows. */
  more?: readonly string[] | undefined;
  /** Another name of the period. */
  label?: string | undefined;
  /** Sets both. */
  set: (limits: Required<Limits>) => void;
}

/** Both, in the order that they have on every page: after the search, before what else there is. */
export function LimitSelects({ project, limits: { environment, period }, more, label, set }: Props) {
  return (
    <>
      <EnvironmentSelect
        project={project}
        value={environment}
        more={more}
        set={(chosen) => set({ environment: chosen, period })}
      />
      <PeriodSelect label={label} value={period} set={(chosen) => set({ environment, period: chosen })} />
    </>
  );
}
