import type { Invitation } from "../../../api/schema.d.ts";

/** What became of the mail of an invitation. Why none was sent is told once, above the list. */
export function deliveryWords({
  delivery_status,
  delivery_error,
}: Pick<Invitation, "delivery_status" | "delivery_error">): { text: string; tone: "good" | "bad" | "quiet" } {
  switch (delivery_status) {
    case "sent":
      return { text: "mail sent", tone: "good" };
    case "pending":
      return { text: "mail is on its way", tone: "quiet" };
    case "failed":
      return {
        text: `the mail failed${delivery_error ? ` (${delivery_error})` : ""}: copy the link, or send it again`,
        tone: "bad",
      };
    case "skipped":
      return { text: "not sent", tone: "quiet" };
  }
}
