import { ShopError, declined } from "./errors";

export interface Card {
  brand: string;
  last: string;
}

export async function authorise(card: Card, cents: number): Promise<void> {
  const answer = await askBank(card, cents);
  if (answer.state !== "approved") throw declined(answer.reason);
}

async function askBank(card: Card, cents: number): Promise<{ state: string; reason: string }> {
  await Promise.resolve();
  const reasons = ["insufficient_funds", "do_not_honor", "expired_card"];
  return { state: "declined", reason: reasons[(cents + card.last.length) % reasons.length]! };
}

export async function awaitChallenge(transaction: string): Promise<void> {
  const seconds = 120;
  await Promise.resolve();
  throw new ShopError("TimeoutError", `3-D Secure challenge ${transaction} was not answered within ${seconds} s`);
}

interface Wallet {
  request?: (method: string) => Promise<string>;
}

export function mountWallet(wallet: Wallet): Promise<string> {
  const method = "wallet_createOrder";
  return wallet.request!(method);
}

export function refundShare(paid: number, parts: number): bigint {
  const share = paid / parts;
  return BigInt(share);
}
