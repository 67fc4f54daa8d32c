import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Page } from "../navigation/Page.tsx";
import { paths } from "../paths.ts";
import { Plain } from "../ui/Plain.tsx";
import { Empty } from "../ui/States.tsx";

const home = (
  <Button component={Link} to={paths.home} variant="default">
    Go to issues
  </Button>
);

/** No page has this address. */
export function NotFound() {
  return (
    <Page title="Not found" bare wide>
      <Empty title="Page not found" action={home}>
        <p>The address may be mistyped, or the page may have been deleted.</p>
      </Empty>
    </Page>
  );
}

/** The same before the sign-in, without the navigation. */
export function NotFoundApart() {
  return (
    <Plain title="Page not found" lead="The address may be mistyped, or the page may have been deleted.">
      <Button component={Link} to={paths.home} variant="default" size="sm" fullWidth>
        Go to the start page
      </Button>
    </Plain>
  );
}

/** It may exist, but this person has no access to it. */
export function Forbidden({ what = "this project" }: { what?: string }) {
  return (
    <Page title="No access" bare wide>
      <Empty title={`You do not have access to ${what}`} action={home}>
        <p>It may not exist, or you may not be a member of its organization. An administrator can invite you.</p>
      </Empty>
    </Page>
  );
}
