import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Page } from "../../ui/Page.tsx";
import { Plain } from "../../ui/Plain.tsx";
import { Empty } from "../../ui/States.tsx";

const home = (
  <Button component={Link} to={paths.home} variant="default">
    To the issues
  </Button>
);

/** No page has this address. */
export function NotFound() {
  return (
    <Page title="Not found" bare wide>
      <Empty title="There is no such page" action={home}>
        <p>The address may have been mistyped, or what it named was deleted.</p>
      </Empty>
    </Page>
  );
}

/** The same before the sign-in, without the navigation. */
export function NotFoundApart() {
  return (
    <Plain title="There is no such page" lead="The address may have been mistyped, or what it named was deleted.">
      <Button component={Link} to={paths.home} variant="default" size="sm" fullWidth>
        To the start
      </Button>
    </Plain>
  );
}

/** There may be such a project, and it is not for this person. */
export function Forbidden({ what = "this project" }: { what?: string }) {
  return (
    <Page title="No access" bare wide>
      <Empty title={`You do not have access to ${what}`} action={home}>
        <p>It may not exist, or you are not a member of its organization. An administrator can invite you.</p>
      </Empty>
    </Page>
  );
}
