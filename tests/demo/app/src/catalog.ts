import { ShopError } from "./errors";

export interface Product {
  sku: string;
  title: string | null;
  variants: { size: string; stock: number }[];
}

export function slugOf(product: Product): string {
  const title = product.title!.trim();
  return title.toLowerCase().replace(/\W+/g, "-");
}

export function variantOf(product: Product, size: string): number {
  const variant = product.variants.find((candidate) => candidate.size === size);
  if (!variant) throw new ShopError("VariantError", `${product.sku} has no size ${size}`);
  return variant.stock;
}

/** Names every product that does not fit, so that the list can be mended in one go. */
export function checkImport(products: Product[]): void {
  const wrong = products.filter((product) => product.variants.length === 0).map((product) => product.sku);
  if (wrong.length > 0) {
    const which = wrong.join(", ");
    throw new ShopError("CatalogImportError", `${wrong.length} products without variants were left out of the seasonal catalogue: ${which}`);
  }
}

export function priceRange(prices: number[]): [number, number] {
  const sorted = prices.toSorted((one, other) => one - other);
  return [sorted.at(0)!, sorted.at(-1)!];
}
