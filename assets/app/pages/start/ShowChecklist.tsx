import { Button } from "@mantine/core";
import { ListChecks } from "lucide-react";
import { useChecklist } from "./use-checklist.ts";

/** A button that shows the hidden checklist again. */
export function ShowChecklist({ project }: { project: number }) {
  const { state, show } = useChecklist(project);
  if (state !== "hidden") return null;
  return (
    <Button variant="default" leftSection={<ListChecks size="0.875rem" aria-hidden />} onClick={show}>
      Show the checklist
    </Button>
  );
}
