import { Select, type SelectProps } from "@mantine/core";
import { oneLine } from "../ui/visible.ts";
import { useViews } from "./views.ts";

interface Props extends SelectProps {
  project: number;
}

/** The shared view whose issues alone a rule is about; empty: all issues. */
export function ViewField({ project, ...field }: Props) {
  const shared = useViews(project).filter((view) => view.shared);
  return (
    <Select
      {...field}
      size="sm"
      label="Only issues of a view"
      description="One that is shared in the project: its query and its environment count, its period does not"
      data={[
        { value: "", label: "All issues" },
        ...shared.map(({ id, name }) => ({ value: String(id), label: oneLine(name) })),
      ]}
      allowDeselect={false}
    />
  );
}
