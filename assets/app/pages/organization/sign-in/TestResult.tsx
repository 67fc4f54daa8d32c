import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { isStatus } from "../../../api/error.ts";
import { signInTestQuery } from "../../../api/organization-queries.ts";
import { paths } from "../../../paths.ts";
import { Answer } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { ReportView } from "./ReportView.tsx";
import own from "./SignIn.module.css";

/** The report of a test sign-in, shown on return from the provider. */
export function TestResult({ organization, test }: { organization: number; test: number }) {
  const report = useQuery(signInTestQuery(organization, test));
  const navigate = useNavigate();
  const close = (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      onClick={() => void navigate({ href: paths.organization(organization, "sign-in"), replace: true })}
    >
      Close
    </Button>
  );
  if (isStatus(report.error, 404)) {
    return (
      <div className={`${classes.spread} ${own.report}`}>
        <p>The report of this test has expired. Start another test.</p>
        {close}
      </div>
    );
  }
  return (
    <section className={own.help} aria-labelledby="test-result">
      <h2 id="test-result">Your test sign-in</h2>
      <Answer query={report} what="The report" rows={4}>
        {(found) => (
          <ReportView
            report={found}
            words={{
              good: "It works: people can sign in this way. You are still signed in as before.",
              bad: "It does not work yet. You are still signed in as before.",
            }}
            action={close}
          />
        )}
      </Answer>
    </section>
  );
}
