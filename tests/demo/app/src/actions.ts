// Everything a visitor of the demo does that ends badly, each through the code that a page would run.

import { claimsOf, refreshSession, signInWithPasskey } from "./auth";
import { type Cart, applyCoupon, changeQuantity, mergeCarts, restoreCart } from "./cart";
import { type Product, checkImport, priceRange, slugOf, variantOf } from "./catalog";
import { cheapestShipping, checkAddress, confirmOnce, submitOrder } from "./checkout";
import { deliveryDay, money, translate, translateArabic } from "./i18n";
import { decode, loadLater, srcset } from "./images";
import { readFeed, reconnect, reserveStock } from "./inventory";
import { loadTile, nearest, project } from "./map";
import { badge, subscribe } from "./notifications";
import { countdown, isRunning, personalise } from "./offers";
import { authorise, awaitChallenge, mountWallet, refundShare } from "./payments";
import { cursorOf, pageCount, submitReview } from "./reviews";
import { open, params } from "./router";
import { type Facet, depthOf, filtersOf, highlight, rank, suggest } from "./search";
import { keep, share, toggle } from "./wishlist";

const cart: Cart = { id: "c_8412", lines: [{ sku: "TEA-01", cents: 1_290, quantity: 2 }] };
const product: Product = { sku: "POT-02", title: null, variants: [{ size: "0.8 l", stock: 3 }] };

export const actions: Record<string, () => unknown> = {
  coupon: () => applyCoupon(cart, "TEA10"),
  quantity: () => changeQuantity(cart, "TEA-01", -1),
  merge: () => mergeCarts(cart, {}),
  restore: () => restoreCart(undefined),
  address: () => checkAddress({ country: "NL", postcode: "12345", street: "Keizersgracht 1" }),
  shipping: () => cheapestShipping([], { country: "CH", postcode: "8001", street: "Limmatquai 2" }),
  order: () => submitOrder(cart),
  confirm: () => confirmOnce(new Set([cart.id]), cart.id),
  authorise: () => authorise({ brand: "visa", last: "4242" }, 2_580),
  challenge: () => awaitChallenge("tx_77120"),
  wallet: () => mountWallet({}),
  refund: () => refundShare(1_000, 3),
  filters: () => filtersOf("q=tea&brand=100%"),
  highlight: () => highlight("Gyokuro (first flush)", "(first"),
  facets: () => {
    const facet: Facet = { name: "Tea", count: 12 };
    facet.parent = facet;
    return depthOf(facet);
  },
  suggest: () => suggest("gyok", AbortSignal.abort()),
  rank: () => rank([{ score: { value: 3 } }, {}]),
  refresh: () => refreshSession({ user: "u_1042", expiresAt: 1_000 }, 4_600),
  claims: () => claimsOf("e30.ü.x"),
  passkey: () => signInWithPasskey(false),
  quota: () => keep({ used: 5_242_880, limit: 5_242_880 }, ["TEA-01", "POT-02"]),
  toggle: () => toggle({}, "gifts", "TEA-01"),
  share: () => share({}, "gifts"),
  translation: () => translate({}, "checkout.giftwrap.label", "pt-BR"),
  arabic: () => translateArabic("checkout.total"),
  currency: () => money(1_290, "EURO", "de-DE"),
  delivery: () => deliveryDay(undefined, "en-GB"),
  decode: () => decode({ src: "/img/pot-02.avif" }),
  srcset: () => srcset({ src: "/img/tea-07.jpg" }),
  lazy: () => loadLater({ observer: null }, {}),
  tile: () => loadTile(14, 8_801, 5_373),
  project: () => project({ lng: 13.4, lat: 520 }, 12),
  nearest: () => nearest([{ lng: 13.4, lat: 52.5 }, { lng: 9.99, lat: 53.55 }], null),
  slug: () => slugOf(product),
  variant: () => variantOf(product, "1.2 l"),
  import: () =>
    checkImport(Array.from({ length: 24 }, (_, index) => ({ sku: `AUTUMN-${2_600 + index}`, title: "", variants: [] }))),
  prices: () => priceRange(null as unknown as number[]),
  pages: () => pageCount(0, 10),
  review: () => submitReview(5, "Lovely pot"),
  cursor: () => cursorOf({ items: [], next: null }),
  route: () => open({ path: "/wishlist", load: () => Promise.reject(new Error("offline")) }),
  params: () => params("/p/:sku", "/products/TEA-01/reviews"),
  feed: () => readFeed("<html><head><title>502 Bad Gateway</title></head></html>"),
  stock: () => reserveStock({ sku: "TEA-07", left: 1 }, 4),
  reconnect: () => reconnect(6),
  banner: () => isRunning({ id: "autumn", schedule: undefined }, "2026-11-01"),
  countdown: () => countdown(200_000, 0),
  offers: () => personalise(Object.freeze(["autumn", "gift"]), ["gift"]),
  push: () => subscribe({}),
  badge: () => badge("7"),
};
