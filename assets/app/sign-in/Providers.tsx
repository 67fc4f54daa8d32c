import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import type { ProviderKind, StartFlow } from "../api/schema.d.ts";
import { NotBegun } from "./NotBegun.tsx";
import { leaveFor, type providersOf } from "./providers.ts";
import classes from "./SignIn.module.css";

interface Props {
  providers: ReturnType<typeof providersOf>;
  /** The purpose of the sign-in; `undefined` to stay on the page. */
  body: () => StartFlow | undefined;
  /** Before the provider's name: `Continue with`. */
  verb?: string;
  first?: boolean;
}

/** A button for each provider that is set up. */
export function Providers({ providers, body, verb = "Continue with", first = false }: Props) {
  const [going, setGoing] = useState<ProviderKind>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    // The browser's Back button brings the page back as it was left.
    const back = () => setGoing(undefined);
    window.addEventListener("pageshow", back);
    return () => window.removeEventListener("pageshow", back);
  }, []);
  const go = async (provider: ProviderKind) => {
    const flow = body();
    if (!flow || going) return;
    setGoing(provider);
    setError(undefined);
    try {
      await leaveFor(provider, flow);
    } catch (problem) {
      setError(problem);
      setGoing(undefined);
    }
  };
  return (
    <div className={classes.providers}>
      {providers.map(({ provider, name }, at) => (
        <Button
          key={provider}
          size="sm"
          variant={first && at === 0 ? "filled" : "default"}
          loading={going === provider}
          disabled={going !== undefined && going !== provider}
          autoFocus={first && at === 0}
          onClick={() => void go(provider)}
        >
          <span className="cut">
            {verb} <bdi>{name}</bdi>
          </span>
        </Button>
      ))}
      <NotBegun error={error} />
    </div>
  );
}
