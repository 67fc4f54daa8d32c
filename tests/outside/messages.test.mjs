// What alert channels are told, held to the types that clients of Slack, Discord and Teams are published with. What
// webhooks get is taken by the library of Standard Webhooks, beside the Web app.

import assert from "node:assert/strict";
import { test } from "node:test";
import { exchanges } from "./exchanges.mjs";
import { misfits } from "./typed.mjs";

const imports = `import type { IncomingWebhookSendArguments } from "@slack/webhook";
import type { RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import type { IAdaptiveCard } from "adaptivecards/lib/schema.js";
// The card's own type is older than its version 1.2, which has fonts.
type Blocks<Card> = Card extends { body?: unknown } ? Omit<Card, "body"> & { $schema: string; body: Block[] } : never;
type Block = { type: "TextBlock"; text: string; weight?: "Lighter" | "Default" | "Bolder"; size?: "Small"; wrap?: boolean; fontType?: "Default" | "Monospace" };
type Teams = { type: "message"; attachments: { contentType: "application/vnd.microsoft.card.adaptive"; content: Blocks<IAdaptiveCard> }[] };
`;

const kinds = {
  slack: [(body) => Object.keys(body).join() === "text", "IncomingWebhookSendArguments"],
  discord: [(body) => body.embeds, "RESTPostAPIWebhookWithTokenJSONBody"],
  teams: [(body) => body.attachments, "Teams"],
};
const told = exchanges().filter(({ path, body }) => path.startsWith("/hooks") && body);

for (const [kind, [isOf, type]] of Object.entries(kinds)) {
  test(`what ${kind} is told is of its client's type`, () => {
    const held = told.filter(({ body }) => isOf(body)).map(({ body }) => ({ type, value: body }));
    assert.notEqual(held.length, 0);
    assert.deepEqual(misfits(imports, held), []);
  });
}
