import { Link } from "@tanstack/react-router";
import type { Methods, StartFlow } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { LoginForm } from "../../sign-in/LoginForm.tsx";
import { NotBegun } from "../../sign-in/NotBegun.tsx";
import { Providers } from "../../sign-in/Providers.tsx";
import { providersOf } from "../../sign-in/providers.ts";
import classes from "../../sign-in/SignIn.module.css";

interface Props {
  /** `undefined` if the server did not answer; the form reports errors. */
  methods: Methods | undefined;
  flow: () => StartFlow;
  failure: unknown;
  onSignedIn: () => unknown;
}

/** Every sign-in method that is set up. */
export function SignInMethods({ methods, flow, failure, onSignedIn }: Props) {
  const providers = providersOf(methods);
  const password = methods?.password_login !== false;
  return (
    <>
      <NotBegun error={failure} />
      {password && <LoginForm onSignedIn={onSignedIn} />}
      {password && providers.length > 0 && <span className={classes.or}>or</span>}
      <Providers providers={providers} body={flow} first={!password} />
      {!password && providers.length === 0 && (
        <p className={classes.foot}>
          Nobody can sign in: passwords are off and no provider is set up. An administrator of the server can change
          that.
        </p>
      )}
      <div className={classes.foot}>
        {password && (
          <p>
            <Link to={paths.forgotPassword}>Forgot your password?</Link>
          </p>
        )}
        <p>No account yet? Ask an admin of your organization to invite you.</p>
      </div>
    </>
  );
}
