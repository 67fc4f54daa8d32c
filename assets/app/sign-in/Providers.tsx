import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import type { ProviderKind, StartFlow } from "../api/schema.d.ts";
import { NotBegun } from "./NotBegun.tsx";
import { leaveFor, type providersOf } from "./providers.ts";
import classes from "./SignIn.module.css";

/** The provider whose page is being opened, and what opens it: it rejects if that is not possible. */
export function useLeaving() {
  const [going, setGoing] = useState<ProviderKind>();
  useEffect(() => {
    // The browser's Back button brings the page back as it was left.
    const back = () => setGoing(undefined);
    window.addEventListener("pageshow", back);
    return () => window.removeEventListener("pageshow", back);
  }, []);
  const leave = async (provider: ProviderKind, flow: StartFlow) => {
    if (going) return;
    setGoing(provider);
    try {
      await leaveFor(provider, flow);
    } catch (problem) {
      setGoing(undefined);
      throw problem;
    }
  };
  return { going, leave };
}

interface Props {
  providers: ReturnType<typeof providersOf>;
  /** The purpose of the sign-in. */
  body: () => StartFlow;
  /** Before the provider's name: `Continue with`. */
  verb?: string;
  first?: boolean;
}

/** A button for each provider that is set up, which opens its page. */
export function Providers({ body, ...rest }: Props) {
  const { going, leave } = useLeaving();
  const [error, setError] = useState<unknown>();
  const go = (provider: ProviderKind) => {
    setError(undefined);
    leave(provider, body()).catch(setError);
  };
  return <ProviderButtons {...rest} going={going} choose={go} error={error} />;
}

interface ButtonsProps extends Omit<Props, "body"> {
  going: ProviderKind | undefined;
  choose: (provider: ProviderKind) => void;
  error: unknown;
  /** `submit` in a form. */
  type?: "button" | "submit";
}

export function ProviderButtons(props: ButtonsProps) {
  const { providers, going, choose, error, verb = "Continue with", first = false, type = "button" } = props;
  return (
    <div className={classes.providers}>
      {providers.map(({ provider, name }, at) => (
        <Button
          key={provider}
          type={type}
          size="sm"
          variant={first && at === 0 ? "filled" : "default"}
          loading={going === provider}
          disabled={going !== undefined && going !== provider}
          autoFocus={first && at === 0}
          onClick={() => choose(provider)}
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
