import { getMe } from "./api/server.ts";
import { routeOf } from "./paths.ts";
import { homePage } from "./pages/home/page.ts";
import { setupPage } from "./pages/setup/page.ts";
import { header } from "./ui/header.ts";

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");

const app = root;
const route = routeOf(location.pathname);

/** Puts the strip on top and asks again who is signed in; the page below stays as it is. */
function renderHeader(me = getMe()): void {
  app.querySelector("header")?.remove();
  app.prepend(header(me));
}

document.title = route.page === "setup" ? "Claim · Mayday" : "Mayday";
if (route.page === "setup") {
  renderHeader();
  app.append(setupPage(renderHeader));
} else {
  const me = getMe();
  renderHeader(me);
  app.append(homePage(me, route.page === "unknown" ? route.path : undefined));
}
