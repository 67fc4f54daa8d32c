import { ShopError } from "./errors";

interface Stock {
  sku: string;
  left: number;
}

/** A message of the stock feed; the proxy answers in HTML while it restarts. */
export function readFeed(message: string): Stock {
  const stock = JSON.parse(message) as Stock;
  return { sku: stock.sku, left: Math.max(0, stock.left) };
}

export async function reserveStock(stock: Stock, wanted: number): Promise<Stock> {
  await Promise.resolve();
  if (stock.left < wanted) throw new ShopError("OutOfStockError", `${stock.sku}: ${wanted} wanted, ${stock.left} left`);
  return { ...stock, left: stock.left - wanted };
}

export function reconnect(attempts: number): number {
  if (attempts > 5) throw new ShopError("FeedError", `The stock feed was lost after ${attempts} attempts`);
  return 2 ** attempts * 1_000;
}
