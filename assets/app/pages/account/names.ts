import type { AccountSection } from "../../paths.ts";

export const accountNames: Record<AccountSection, string> = {
  profile: "Profile",
  sessions: "Sessions",
  tokens: "Access tokens",
};
