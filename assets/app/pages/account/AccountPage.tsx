import { useParams } from "@tanstack/react-router";
import { type AccountSection, accountSections, paths } from "../../paths.ts";
import { Page } from "../../ui/Page.tsx";
import { Sections } from "../../ui/settings/Sections.tsx";
import { accountNames } from "./names.ts";
import { Profile } from "./profile/Profile.tsx";
import { Sessions } from "./sessions/Sessions.tsx";
import { Tokens } from "./tokens/Tokens.tsx";

/** What is the person's own: name, ways to sign in, sessions, tokens. */
export default function AccountPage() {
  const { section = "profile" } = useParams({ strict: false }) as { section?: AccountSection };
  return (
    <Page title="Your account" tab={`${accountNames[section]} · Account`}>
      <Sections
        label="Account"
        entries={accountSections.map((name) => ({ name: accountNames[name], to: paths.account(name) }))}
      >
        {section === "profile" && <Profile />}
        {section === "sessions" && <Sessions />}
        {section === "tokens" && <Tokens />}
      </Sections>
    </Page>
  );
}
