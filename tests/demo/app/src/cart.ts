import { invalid } from "./errors";

export interface Line {
  sku: string;
  cents: number;
  quantity: number;
  coupon?: { discount: { percent: number } };
}

export interface Cart {
  id: string;
  lines: Line[];
}

export function applyCoupon(cart: Cart, code: string): number {
  const line = cart.lines.find((candidate) => candidate.sku.startsWith(code.slice(0, 3)));
  return discountOf(line ?? cart.lines[0]!);
}

function discountOf(line: Line): number {
  const share = line.coupon!.discount.percent / 100;
  return Math.round(line.cents * line.quantity * share);
}

export function changeQuantity(cart: Cart, sku: string, quantity: number): Cart {
  const lines = cart.lines.map((line) => (line.sku === sku ? { ...line, quantity: checked(line, quantity) } : line));
  return { ...cart, lines };
}

function checked(line: Line, quantity: number): number {
  if (!Number.isInteger(quantity) || quantity < 0) {
    throw new RangeError(`quantity of ${line.sku}: expected a whole number, got ${quantity}`);
  }
  return quantity;
}

/** Joins what was put into the cart before and after signing in. */
export function mergeCarts(mine: Cart, stored: { lines?: Line[] }): Cart {
  const bySku = new Map(mine.lines.map((line) => [line.sku, line]));
  for (const line of stored.lines!) {
    const known = bySku.get(line.sku);
    bySku.set(line.sku, known ? { ...line, quantity: line.quantity + known.quantity } : line);
  }
  return { ...mine, lines: [...bySku.values()] };
}

export function restoreCart(stored: string | undefined): Cart {
  const cart = JSON.parse(String(stored)) as Cart;
  if (cart.lines.length > 200) throw invalid(`cart ${cart.id}: more than 200 lines`);
  return cart;
}
