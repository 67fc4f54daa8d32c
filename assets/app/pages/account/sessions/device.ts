// Describes a user agent in words. It may claim anything, so this is a hint and no proof.

export interface Device {
  words: string;
  kind: "computer" | "phone" | "program" | "unknown";
}

/** Browsers that also name others come first. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:A|iOS)?\/(\d+)/, "Edge"],
  [/\b(?:OPR|Opera)\/(\d+)/, "Opera"],
  [/\bSamsungBrowser\/(\d+)/, "Samsung Internet"],
  [/\bVivaldi\/(\d+)/, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, "Safari"],
];

const systems: [pattern: RegExp, name: string, kind: Device["kind"]][] = [
  [/\biPhone\b/, "iPhone", "phone"],
  [/\biPad\b/, "iPad", "phone"],
  [/\bAndroid\b/, "Android", "phone"],
  [/\bCrOS\b/, "ChromeOS", "computer"],
  [/\bWindows\b/, "Windows", "computer"],
  [/\bMac(?:intosh| OS X)\b/, "macOS", "computer"],
  [/\bLinux\b|\bX11\b/, "Linux", "computer"],
];

const programs: [pattern: RegExp, name: string][] = [
  [/^mayday\/(\d[\w.-]*)/i, "mayday"],
  [/^curl\/(\d[\w.]*)/, "curl"],
  [/^Wget\/(\d[\w.]*)/, "Wget"],
  [/^python-(?:requests|httpx)\/(\d[\w.]*)/, "Python"],
  [/^(?:node|undici)\b/, "Node.js"],
  [/^PostmanRuntime\//, "Postman"],
  [/^Go-http-client\//, "a Go program"],
];

/** `Firefox 145 on Windows`, `curl 8.5.0`, `an unknown device`. */
export function deviceOf(agent: string | null): Device {
  const text = agent?.trim() ?? "";
  if (text === "") return { words: "An unknown device", kind: "unknown" };
  for (const [pattern, name] of programs) {
    const found = pattern.exec(text);
    if (found) return { words: found[1] ? `${name} ${found[1]}` : name, kind: "program" };
  }
  const browser = browsers.find(([pattern]) => pattern.test(text));
  const system = systems.find(([pattern]) => pattern.test(text));
  if (!browser && !system) return { words: "An unknown program", kind: "unknown" };
  const version = browser ? ` ${browser[0].exec(text)?.[1]}` : "";
  const words = [browser ? `${browser[1]}${version}` : "A browser", system ? `on ${system[1]}` : ""]
    .filter(Boolean)
    .join(" ");
  return { words, kind: system?.[2] ?? "computer" };
}
