import { ChevronsDown, ChevronsUp, Equal, type LucideIcon } from "lucide-react";
import type { Priority } from "../api/schema.d.ts";

/** The priorities with their icons and words, the highest first. */
export const priorities: Record<Priority, { Icon: LucideIcon; word: string }> = {
  high: { Icon: ChevronsUp, word: "High" },
  medium: { Icon: Equal, word: "Medium" },
  low: { Icon: ChevronsDown, word: "Low" },
};
