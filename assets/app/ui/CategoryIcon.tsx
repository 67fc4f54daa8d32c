import { CircleAlert, Info, type LucideIcon, Plug, Users } from "lucide-react";
import type { Category } from "../api/schema.d.ts";

/** What people read for a category of notifications, and its icon. */
export const categories: Record<Category, { label: string; about: string; Icon: LucideIcon }> = {
  error: {
    label: "Errors",
    about: "New, regressed and escalating issues",
    Icon: CircleAlert,
  },
  team: { label: "Team", about: "Invitations, new members and changes of roles", Icon: Users },
  integration: { label: "Integrations", about: "Connections to other services", Icon: Plug },
  system: { label: "System", about: "Your account's security, updates and announcements", Icon: Info },
};

/** The icon of a category, with its word for screen readers. */
export function CategoryIcon({ category }: { category: Category }) {
  const { label, Icon } = categories[category];
  return (
    <>
      <Icon size="1rem" aria-hidden />
      <span className="unseen">{label}: </span>
    </>
  );
}
