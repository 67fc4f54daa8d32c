import { Bot, CircleAlert, Info, type LucideIcon, Plug, Users } from "lucide-react";
import type { Category, Notification } from "../api/schema.d.ts";

type CategorySource = Pick<Notification, "category" | "notification_metadata">;

/** What people read for a category of notifications, and its icon. */
export const categories: Record<Category, { label: string; about: string; Icon: LucideIcon }> = {
  error: {
    label: "Errors",
    about: "New, regressed and escalating issues",
    Icon: CircleAlert,
  },
  team: { label: "Team", about: "Invitations, new members and changes of roles", Icon: Users },
  integration: { label: "Integrations", about: "Connections to other services", Icon: Plug },
  system: {
    label: "System",
    about: "Agents that wait for you, your account's security, updates and announcements",
    Icon: Info,
  },
};

/** Notifications about agents: they have the category `system`, but are not about the server. */
const agents: { label: string; Icon: LucideIcon } = { label: "Agents", Icon: Bot };

/** The icon of a notification's category, with its name for screen readers. */
export function CategoryIcon({ of: { category, notification_metadata: more } }: { of: CategorySource }) {
  const { label, Icon } = (more as { kind?: unknown }).kind === "session_waits" ? agents : categories[category];
  return (
    <>
      <Icon size="1rem" aria-hidden />
      <span className="unseen">{label}: </span>
    </>
  );
}
