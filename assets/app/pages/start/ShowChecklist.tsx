import { Button } from "@mantine/core";
import { ListChecks } from "lucide-react";
import { useChecklist } from "../../first-steps/use-checklist.ts";

/** For whoever has hidden the checklist of the navigation, and wants it back. */
export function ShowChecklist({ project }: { project: number }) {
  const { state, show } = useChecklist(project);
  if (state !== "hidden") return null;
  return (
    <Button variant="default" leftSection={<ListChecks size="0.875rem" aria-hidden />} onClick={show}>
      Show the checklist
    </Button>
  );
}
