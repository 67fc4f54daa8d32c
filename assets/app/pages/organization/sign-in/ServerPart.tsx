import type { SignInSettings } from "../../../api/schema.d.ts";
import { exact } from "../../../ui/format.ts";
import { Part } from "./Part.tsx";
import { Setting } from "./Setting.tsx";
import own from "./SignIn.module.css";

/** Settings that apply to every sign-in method. */
export function ServerPart({ of }: { of: SignInSettings }) {
  return (
    <Part title="Server" on state={of.single_org_mode ? "one organization" : "several organizations"}>
      <dl className={own.settings}>
        <Setting name="Organizations" value={of.single_org_mode ? "one" : "several"} variable="SINGLE_ORG_MODE" />
        <Setting
          name="Trusted proxies"
          value={of.trusted_proxies.join(", ")}
          variable="SERVICE_TRUSTED_PROXIES"
          otherwise="none"
          about="Behind a reverse proxy that is not listed here, all requests seem to come from the proxy's address and share its limits."
        />
        <Setting
          name="Requests per person"
          value={of.requests_per_hour === 0 ? "unlimited" : `${exact(of.requests_per_hour)} per hour`}
          variable="SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR"
        />
      </dl>
    </Part>
  );
}
