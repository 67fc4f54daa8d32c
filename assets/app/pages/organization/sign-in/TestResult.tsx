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

/** The report of a test sign-in that came back from the provider. */
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
        <p>The report of that test is not kept any more. Start another one.</p>
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
              good: "It works: somebody who signs in so gets in. You stay signed in as you were.",
              bad: "It does not work yet. You stay signed in as you were.",
            }}
            action={close}
          />
        )}
      </Answer>
    </section>
  );
}
