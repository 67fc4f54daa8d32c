import { Button, Skeleton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { checkSignIn } from "../../../api/organization-queries.ts";
import type { ProviderKind } from "../../../api/schema.d.ts";
import { leaveFor } from "../../../sign-in/providers.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { useSeconds } from "../../../ui/clock.ts";
import { Part } from "./Part.tsx";
import { ReportView } from "./ReportView.tsx";
import own from "./SignIn.module.css";

interface Props {
  organization: number;
  provider: ProviderKind;
  title: string;
  children: ReactNode;
}

/** A provider that is set up: its settings, whether it responds, and a test sign-in. */
export function Check({ organization, provider, title, children }: Props) {
  const check = useMutation({ mutationFn: () => checkSignIn(organization, provider) });
  const [leaving, setLeaving] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const test = async () => {
    setLeaving(true);
    setRefused(undefined);
    try {
      await leaveFor(provider, { purpose: "test" });
    } catch (error) {
      setRefused(error);
      setLeaving(false);
    }
  };
  const actions = (
    <>
      <Button
        variant="default"
        loading={check.isPending}
        onClick={() => check.mutate()}
        title="The server queries the provider step by step; nobody is signed in"
      >
        Check
      </Button>
      <Button
        variant="default"
        loading={leaving}
        onClick={() => void test()}
        title="You sign in at the provider and return to a report; nothing is linked"
      >
        Test sign-in
      </Button>
    </>
  );
  return (
    <Part title={title} on actions={actions}>
      <Alarm error={refused ?? check.error ?? undefined} />
      <div aria-live="polite">
        {check.isPending ? (
          <Waiting />
        ) : (
          check.data && (
            <ReportView
              report={check.data}
              words={{ good: "The provider responds as expected.", bad: "The check failed." }}
            />
          )
        )}
      </div>
      {children}
    </Part>
  );
}

/** How long the server has been waiting for the provider. */
function Waiting() {
  const [began] = useState(Date.now);
  const [late, setLate] = useState(false);
  const seconds = Math.max(0, Math.floor((useSeconds() - began) / 1000));
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className={own.report} aria-busy="true">
      <span className="number">Contacting the provider… {seconds > 1 && `${seconds} s`}</span>
      <Skeleton h="1.25rem" />
      <Skeleton h="1.25rem" />
      <Skeleton h="1.25rem" />
    </div>
  );
}
