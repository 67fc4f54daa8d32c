import { Select, type SelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { oneLine } from "../ui/visible.ts";
import { viewNamesQuery } from "./views.ts";

interface Props extends SelectProps {
  project: number;
}

/** The shared view that a rule is limited to; empty: all issues. One that is gone stays until another is chosen. */
export function ViewField({ project, ...field }: Props) {
  const { data = [], isSuccess } = useQuery(viewNamesQuery(project));
  const shared = data.flatMap(({ id, name, shared }) => (shared ? { value: String(id), label: oneLine(name) } : []));
  const chosen = String(field.value ?? "");
  const isGone = chosen !== "" && isSuccess && !shared.some(({ value }) => value === chosen);
  return (
    <Select
      {...field}
      size="sm"
      label="Limit to a saved view"
      description="Only views that are shared in the project. The view’s search and environment apply; its period does not."
      data={[
        { value: "", label: "All issues" },
        ...shared,
        ...(isGone ? [{ value: chosen, label: "View not found" }] : []),
      ]}
      allowDeselect={false}
    />
  );
}
