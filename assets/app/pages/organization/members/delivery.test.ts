import { expect, test } from "vitest";
import { deliveryWords } from "./delivery.ts";

test("a failed mail shows the reason, and what to do instead", () => {
  expect(deliveryWords({ delivery_status: "failed", delivery_error: "550 no such mailbox" })).toEqual({
    text: "mail failed (550 no such mailbox): copy the link, or resend it",
    tone: "bad",
  });
  expect(deliveryWords({ delivery_status: "pending", delivery_error: null }).text).toBe("mail queued");
  expect(deliveryWords({ delivery_status: "pending", delivery_error: "timed out" })).toEqual({
    text: "mail not sent yet (timed out): it is tried again",
    tone: "bad",
  });
  expect(deliveryWords({ delivery_status: "skipped", delivery_error: null }).text).toBe("not sent");
  expect(deliveryWords({ delivery_status: "sent", delivery_error: null }).tone).toBe("good");
});
