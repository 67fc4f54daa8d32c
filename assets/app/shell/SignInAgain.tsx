import { Button, Modal, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { methodsQuery } from "../api/people.ts";
import { meQuery } from "../api/queries.ts";
import { sessionKnown } from "../api/session.ts";
import { LoginForm } from "../pages/login/LoginForm.tsx";
import { providersOf } from "../pages/login/providers.ts";
import { paths } from "../paths.ts";
import { Loading } from "../ui/States.tsx";
import { useSignedInElsewhere } from "./elsewhere.ts";

/** The dialog over a page whose session has ended. */
export default function SignInAgain({ isOpen, leave }: { isOpen: boolean; leave: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      title="Your session has ended"
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
