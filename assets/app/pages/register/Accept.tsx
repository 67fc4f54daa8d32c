import type { InvitationPreview, Methods } from "../../api/schema.d.ts";
import { Providers } from "../../sign-in/Providers.tsx";
import { providersOf } from "../../sign-in/providers.ts";
import classes from "../../sign-in/SignIn.module.css";
import { Plain } from "../../ui/Plain.tsx";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import { RegisterForm } from "./RegisterForm.tsx";
import { SomebodyElse } from "./SomebodyElse.tsx";

interface Props {
  token: string;
  forget: () => void;
  invitation: InvitationPreview;
  methods: Methods | undefined;
  signedInAs: string | undefined;
}

/** Who the invitation is for, and the ways to accept it. */
export function Accept({ token, forget, invitation, methods, signedInAs }: Props) {
  const { email, organization_name } = invitation;
  const itself = signedInAs?.toLowerCase() === email.toLowerCase();
  return (
    <Plain title={`Join ${oneLine(organization_name)}`}>
      <Facts of={invitation} />
      {signedInAs === undefined || itself ? (
        <>
          {itself && (
            <p>
              You are signed in as <bdi>{oneLine(email)}</bdi>.
            </p>
          )}
          <Ways token={token} forget={forget} invitation={invitation} methods={methods} />
        </>
      ) : (
        <SomebodyElse signedInAs={signedInAs} email={email} />
      )}
    </Plain>
  );
}

function Ways({ token, forget, invitation, methods }: Omit<Props, "signedInAs">) {
  const providers = providersOf(methods);
  const password = methods?.password_login !== false;
  return (
    <>
      {password && <RegisterForm token={token} forget={forget} invitation={invitation} />}
      {password && providers.length > 0 && <span className={classes.or}>or</span>}
      <Providers providers={providers} body={() => ({ redirect_to: "/", purpose: "sign_in" })} first={!password} />
      {providers.length > 0 && (
        <p className={classes.foot}>
          <span>
            Use the account with the verified e-mail address <bdi>{oneLine(invitation.email)}</bdi>, which the
            invitation is for.
          </span>
        </p>
      )}
    </>
  );
}

function Facts({ of }: { of: InvitationPreview }) {
  return (
    <dl className={classes.facts}>
      <dt>E-mail</dt>
      <dd>
        <Line text={of.email} />
      </dd>
      <dt>Role</dt>
      <dd>{of.role}</dd>
      {of.invited_by !== null && (
        <>
          <dt>Invited by</dt>
          <dd>
            <Line text={of.invited_by} />
          </dd>
        </>
      )}
      <dt>Expires</dt>
      <dd>
        <Time at={of.expires_at} exact />
      </dd>
    </dl>
  );
}
