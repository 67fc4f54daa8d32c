import type { Invitation } from "../../../api/schema.d.ts";

/** The delivery status of an invitation's mail. If no mail is configured, a note above the list says so once. */
export function deliveryWords({
  delivery_status,
  delivery_error,
}: Pick<Invitation, "delivery_status" | "delivery_error">): { text: string; tone: "good" | "bad" | "quiet" } {
  switch (delivery_status) {
    case "sent":
      return { text: "mail sent", tone: "good" };
    case "pending":
      return delivery_error
        ? { text: `mail not sent yet (${delivery_error}): it is tried again`, tone: "bad" }
        : { text: "mail queued", tone: "quiet" };
    case "failed":
      return {
        text: `mail failed${delivery_error ? ` (${delivery_error})` : ""}: copy the link, or resend it`,
        tone: "bad",
      };
    case "skipped":
      return { text: "not sent", tone: "quiet" };
  }
}
