import { Button, Modal, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { api, ok } from "../api/client.ts";
import { methodsQuery } from "../api/people.ts";
import { meQuery } from "../api/queries.ts";
import { sessionKnown } from "../api/session.ts";
import { paths } from "../paths.ts";
import { LoginForm } from "../sign-in/LoginForm.tsx";
import { providersOf } from "../sign-in/providers.ts";
import { Loading } from "../ui/States.tsx";

/** The dialog over a page whose session has ended. */
export default function SignInAgain({ isOpen, leave }: { isOpen: boolean; leave: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      title="You have been signed out"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Ways leave={leave} />
    </Modal>
  );
}

/** Every way of signing in again without losing the page. */
function Ways({ leave }: { leave: () => void }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const me = useQuery({ ...meQuery, enabled: false }).data;
  const methods = useQuery(methodsQuery);
  const providers = providersOf(methods.data);
  const password = methods.data?.password_login !== false;
  const back = async () => {
    sessionKnown();
    await cache.invalidateQueries();
  };
  useSignedInElsewhere((person) => {
    if (!me || person === me.id) return void back();
    // Somebody else signed in, who must not see this page.
    sessionKnown();
    cache.clear();
    void navigate({ to: paths.home, reloadDocument: true });
  });
  if (methods.isPending) return <Loading rows={3} />;
  return (
    <Stack gap="sm">
      <Text size="sm">Sign in again to continue where you left off.</Text>
      {password && <LoginForm email={me?.email} onSignedIn={() => void back()} />}
      {providers.map(({ provider, name }) => (
        <Button
          key={provider}
          component="a"
          href={paths.throughProvider(provider, paths.account())}
          target="_blank"
          rel="noopener"
          variant={password ? "default" : "filled"}
          size="sm"
          rightSection={<ExternalLink size="0.875rem" aria-hidden />}
        >
          <span className="cut">
            Continue with <bdi>{name}</bdi>
          </span>
        </Button>
      ))}
      {providers.length > 0 && (
        <p className="muted">
          The provider opens in a new tab. Come back here afterwards: this page keeps what you typed.
        </p>
      )}
      <Button variant="subtle" color="gray" fullWidth onClick={leave}>
        Leave and sign in as somebody else
      </Button>
    </Stack>
  );
}

/** Calls `hear` with the person's id when somebody has signed in meanwhile in another tab. */
function useSignedInElsewhere(hear: (person: number) => void): void {
  const onSignedIn = useEffectEvent(hear);
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const me = await ok(api.GET("/api/v1/me"));
        if (me.kind === "user") onSignedIn(me.id);
      } catch {
        // Still nobody.
      }
    };
    const ask = () => void look();
    window.addEventListener("focus", ask);
    document.addEventListener("visibilitychange", ask);
    return () => {
      window.removeEventListener("focus", ask);
      document.removeEventListener("visibilitychange", ask);
    };
  }, []);
}
