// Who uses the shop, with what, and what they did before it went wrong.

const given = "Amara Beatriz Chen Dmitri Elif Farah Giulia Hiro Ingrid Jonas Kwame Leila Mateo Nadia Oluwaseun Priya Quentin Rosa Søren Tomasz Ursula Vikram Wen Ximena Yusuf Zoë".split(" ");
const family = "Adeyemi Bauer Castillo Dubois Eriksson Fischer García Haddad Ivanova Jansen Kowalski Lindqvist Moreau Nakamura O’Brien Pereira Rossi Schmidt Tanaka Vasquez Weber Yılmaz Zhang".split(" ");
const firms = [
  "Northwind Traders", "Café Lumière", "Hanami Tea House", "Grünwald & Söhne", "Blue Heron Hotels", "Atlas Catering",
  "Pampa Roasters", "Fjord Provisions", "Marigold Deli", "Saffron Kitchens", "Old Mill Bakery", "Lotus Retreats",
  "Kestrel Offices", "Birch & Stone", "Harbour Street Market", "Sora Restaurants", "Verde Organics", "Petite Colline",
  "Monsoon Imports", "Riverside Clinics", "Aurora Airlines", "Ridgeway School", "Tidal Studios", "Copper Kettle", "Juniper Spa",
];
const plans = ["free", "free", "team", "team", "business", "enterprise"];

/** Latin letters for an e-mail address. */
const plain = (name) => name.normalize("NFD").replace(/ø/g, "o").replace(/ı/g, "i").replace(/[^A-Za-z]/g, "").toLowerCase();

export function makePeople(random, count = 240) {
  const accounts = firms.map((name, index) => ({ id: `acc_${1_001 + index}`, name, plan: random.pick(plans) }));
  const users = Array.from({ length: count }, (_, index) => {
    const [first, last] = [random.pick(given), random.pick(family)];
    const email = `${plain(first)}.${plain(last)}${index % 7 === 0 ? index : ""}@${random.pick(["example.com", "example.net", "example.org"])}`;
    return {
      user: { id: `u_${1_000 + index}`, name: `${first} ${last}`, email, username: `${plain(first)}${index}` },
      account: random.chance(0.7) ? random.early(accounts) : undefined,
      locale: random.pick(["en-GB", "en-US", "de-DE", "de-DE", "fr-FR", "nl-NL", "ja-JP", "pt-BR", "ar-EG"]),
      device: random.early(devices),
    };
  });
  return { accounts, users };
}

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const devices = [
  ["Chrome", "141.0.0", "Windows", "11", "desktop", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`],
  ["Safari", "18.6", "iOS", "18.6", "iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"],
  ["Chrome", "140.0.0", "macOS", "15.6", "desktop", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  ["Chrome Mobile", "141.0.0", "Android", "15", "Pixel 8", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`],
  ["Firefox", "143.0", "Windows", "10", "desktop", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"],
  ["Edge", "141.0.0", "Windows", "11", "desktop", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
  ["Safari", "18.6", "macOS", "15.6", "desktop", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15"],
  ["Samsung Internet", "28.0", "Android", "14", "Galaxy S23", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ["Firefox", "143.0", "Linux", "", "desktop", "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"],
].map(([browser, version, os, osVersion, model, agent]) => ({ browser, version, os, osVersion, model, agent }));

const routes = ["/", "/tea", "/tea/green", "/p/TEA-07", "/p/POT-02", "/search", "/cart", "/checkout", "/account", "/lists/gifts", "/stores"];
const clicks = ["button.add-to-cart", "a.product > img", "button#checkout", "nav a[href='/tea']", "input#coupon", "button.filter-brand", "label.star-5"];
const calls = ["/api/cart", "/api/products?page=2", "/api/recommendations", "/api/session", "/api/stock/TEA-07", "/api/search?q=gyokuro"];

/** What led to a moment on a route, the oldest first; times in milliseconds. */
export function breadcrumbs(random, time, route) {
  const count = random.whole(4, 14);
  let at = time - random.whole(20, 400) * 1_000;
  let here = random.pick(routes);
  const crumbs = [];
  for (let index = 0; index < count; index += 1) {
    at += Math.floor(((time - at) / (count - index)) * random.next());
    crumbs.push({ timestamp: at, ...crumb(random, here, (next) => (here = next)) });
  }
  crumbs.push({ timestamp: time - 900, type: "navigation", category: "navigation", data: { from: here, to: route } });
  crumbs.push({ timestamp: time - 240, type: "ui", category: "ui.click", message: random.pick(clicks) });
  return crumbs;
}

function crumb(random, here, go) {
  switch (random.whole(0, 4)) {
    case 0: {
      const to = random.pick(routes);
      go(to);
      return { type: "navigation", category: "navigation", data: { from: here, to } };
    }
    case 1:
      return { type: "ui", category: "ui.click", message: random.pick(clicks) };
    case 2:
      return { category: "console", level: random.pick(["info", "warning", "debug"]), message: random.pick(said) };
    default: {
      const failed = random.chance(0.12);
      const data = { method: random.pick(["GET", "GET", "POST"]), url: random.pick(calls), status_code: failed ? random.pick([404, 429, 500, 503]) : 200, duration_ms: random.whole(18, 900) };
      return { type: "http", category: "fetch", level: failed ? "error" : "info", data };
    }
  }
}

const said = ["cart restored from storage", "[hydrate] 214 nodes", "stock feed connected", "slow image: /img/pot-02.avif (1840 ms)", "feature gift-wrap: on", "Deprecated: use priceRange()"];
