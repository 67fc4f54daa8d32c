import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../api/project-queries.ts";
import { environmentChoices, type Limits, type Period, periodOf, periods } from "../../navigation/limits.ts";
import { useFirstInput } from "../../ui/first-input.ts";

const times = [
  { value: "", label: "Any time" },
  ...(Object.keys(periods) as Period[]).map((value) => ({ value, label: periods[value] })),
];

interface EnvironmentProps {
  project: number;
  value: string | undefined;
  /** Further environments that the page knows. */
  more?: readonly string[];
  set: (environment: string | undefined) => void;
}

/** Selects the environment of a page. The other choices are loaded when the control may be opened. */
export function EnvironmentSelect({ project, value, more = [], set }: EnvironmentProps) {
  const { data } = useQuery({ ...environmentsQuery(project), enabled: useFirstInput() });
  return (
    <NativeSelect
      size="sm"
      w="10rem"
      aria-label="Environment"
      data={environmentChoices([...new Set([...(data ?? []), ...more])], value)}
      value={value ?? ""}
      onChange={({ currentTarget }) => set(currentTarget.value === "" ? undefined : currentTarget.value)}
    />
  );
}

interface PeriodProps {
  /** Another name, for a page that has more periods. */
  label?: string;
  value: Period | undefined;
  set: (period: Period | undefined) => void;
}

/** Which period a page is limited to. */
export function PeriodSelect({ label = "Period", value, set }: PeriodProps) {
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
  set: (limits: Limits) => void;
}

/** Both. */
export function LimitSelects({ project, limits, set }: Props) {
  return (
    <>
      <EnvironmentSelect
        project={project}
        value={limits.environment}
        set={(environment) => set({ ...limits, environment })}
      />
      <PeriodSelect value={limits.period} set={(period) => set({ ...limits, period })} />
    </>
  );
}
