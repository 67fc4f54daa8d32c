import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/States.tsx";

/** Replaces a list while the project has no events. */
export function FirstSteps({ project }: { project: number }) {
  return (
    <Empty
      title="No errors yet"
      action={
        <Button component={Link} to={paths.start(project)}>
          Send the first event
        </Button>
      }
    >
      <p>Paste one snippet into your application. Its errors will appear here.</p>
    </Empty>
  );
}
