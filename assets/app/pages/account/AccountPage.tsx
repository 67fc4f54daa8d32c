import { useParams } from "@tanstack/react-router";
import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import type { AccountSection } from "../../paths.ts";
import { Agents } from "./agents/Agents.tsx";
import { Profile } from "./profile/Profile.tsx";
import { Sessions } from "./sessions/Sessions.tsx";
import { Tokens } from "./tokens/Tokens.tsx";

/** The person's own settings: name, ways to sign in, sessions, tokens, agents that use them. */
export default function AccountPage() {
  const { section = "profile" } = useParams({ strict: false }) as { section?: AccountSection };
  return (
    <SettingsArea section={`account-${section}`}>
      {section === "profile" && <Profile />}
      {section === "sessions" && <Sessions />}
      {section === "tokens" && <Tokens />}
      {section === "agents" && <Agents />}
    </SettingsArea>
  );
}
