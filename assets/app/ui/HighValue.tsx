import { Gem } from "lucide-react";
import type { Issue } from "../api/schema.d.ts";
import { Badge } from "./Badge.tsx";

/** Shows that the issue affects a high-value account. */
export function HighValue({ issue }: { issue: Issue }) {
  if (!issue.high_value_at) return null;
  const title = `Affects a high-value account: ${issue.high_value_account ?? "unknown"}`;
  return (
    <Badge Icon={Gem} tone="warning" title={title}>
      high-value
    </Badge>
  );
}
