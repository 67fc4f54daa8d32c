import type { Cart } from "./cart";
import { ShopError, invalid, unreachable } from "./errors";

export interface Address {
  country: string;
  postcode: string;
  street: string;
}

const postcodes: Record<string, RegExp> = { DE: /^\d{5}$/, NL: /^\d{4} ?[A-Z]{2}$/, GB: /^[A-Z]{1,2}\d/ };

export function checkAddress(address: Address): Address {
  const pattern = postcodes[address.country];
  if (pattern && !pattern.test(address.postcode)) {
    throw invalid(`postcode "${address.postcode}" does not fit the country ${address.country}`);
  }
  return address;
}

interface Offer {
  carrier: { name: string; days: number };
  cents: number;
}

export function cheapestShipping(offers: Offer[], address: Address): string {
  const fitting = offers.filter((offer) => offer.cents < 4_000 || address.country === "DE");
  return labelOf(fitting.sort((one, other) => one.cents - other.cents)[0]!);
}

function labelOf(offer: Offer): string {
  const { name, days } = offer.carrier;
  return `${name}, ${days} days`;
}

/** Places the order; what went wrong on the way is kept as the cause. */
export async function submitOrder(cart: Cart): Promise<string> {
  try {
    return await postOrder(cart);
  } catch (error) {
    throw new ShopError("CheckoutError", `The order for cart ${cart.id} could not be placed`, { cause: error });
  }
}

async function postOrder(cart: Cart): Promise<string> {
  try {
    return await reserve(cart);
  } catch (error) {
    throw new ShopError("ReservationError", `${cart.lines.length} lines could not be reserved`, { cause: error });
  }
}

async function reserve(cart: Cart): Promise<string> {
  const url = `/api/carts/${cart.id}/reservation`;
  throw unreachable(url, 503);
}

export function confirmOnce(placed: Set<string>, cartId: string): void {
  if (placed.has(cartId)) {
    throw new ShopError("ConflictError", `The order for cart ${cartId} was already placed`);
  }
  placed.add(cartId);
}
