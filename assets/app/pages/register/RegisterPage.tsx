import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isStatus } from "../../api/error.ts";
import { invitationQuery, methodsQuery } from "../../api/people.ts";
import { meQuery } from "../../api/queries.ts";
import { NotFoundApart } from "../../errors/Missing.tsx";
import { paths } from "../../paths.ts";
import { Plain } from "../../ui/Plain.tsx";
import { Failed, Loading } from "../../ui/States.tsx";
import { useAddressToken } from "../../ui/use-address-token.ts";
import { Accept } from "./Accept.tsx";

/** Where an invitation link leads. */
export default function RegisterPage() {
  const [token, forget] = useAddressToken(paths.register, "invitation");
  const invitation = useQuery({ ...invitationQuery(token ?? ""), enabled: token !== undefined });
  const methods = useQuery(methodsQuery);
  const me = useQuery(meQuery);
  if (token === undefined && methods.data?.password_login === false) return <NotFoundApart />;
  if (token === undefined) return <NotWhole />;
  if (isStatus(invitation.error, 404)) return <NotFoundApart />;
  if (isStatus(invitation.error, 403)) return <Gone signedIn={Boolean(me.data)} />;
  if (invitation.error) {
    return (
      <Plain title="Your invitation">
        <Failed
          error={invitation.error}
          what="The invitation"
          retry={() => void invitation.refetch()}
          busy={invitation.isFetching}
        />
      </Plain>
    );
  }
  if (!invitation.data || methods.isPending || me.isPending) {
    return (
      <Plain title="Your invitation">
        <Loading rows={5} />
      </Plain>
    );
  }
  return (
    <Accept
      token={token}
      forget={forget}
      invitation={invitation.data}
      methods={methods.data}
      signedInAs={me.data?.email}
    />
  );
}

const signIn = (
  <Button component={Link} to={paths.login} variant="default" size="sm" fullWidth>
    Go to sign-in
  </Button>
);

function NotWhole() {
  return (
    <Plain
      title="You need an invitation"
      lead="An invitation link opens this page. Open it from the mail again, or copy all of it. An admin of the organization can send you a new one."
    >
      {signIn}
    </Plain>
  );
}

function Gone({ signedIn }: { signedIn: boolean }) {
  const home = (
    <Button component={Link} to={paths.home} size="sm" fullWidth>
      Go to issues
    </Button>
  );
  return (
    <Plain
      title="This invitation is no longer valid"
      lead={`It has expired, or was used, revoked or replaced by a newer one. ${signedIn ? "If you have not joined yet," : "If you have an account, sign in. Otherwise,"} ask whoever invited you to send it again.`}
    >
      {signedIn ? home : signIn}
    </Plain>
  );
}
