import { expect, test } from "vitest";
import { deviceOf } from "./device.ts";

const words = (agent: string | null) => deviceOf(agent).words;
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test("browsers are recognized whatever else they claim to be", () => {
  expect(words("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0")).toBe(
    "Firefox 145 on Windows",
  );
  expect(words(`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/142.0.0.0 Safari/537.36`)).toBe(
    "Chrome 142 on macOS",
  );
  expect(
    words(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`),
  ).toBe("Edge 142 on Windows");
  expect(
    words(
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Safari/605.1.15",
    ),
  ).toBe("Safari 18 on macOS");
  expect(
    words(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1",
    ),
  ).toBe("Safari 18 on iPhone");
  expect(words(`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`)).toBe(
    "Chrome 142 on Android",
  );
  expect(words(`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`)).toBe(
    "Chrome 142 on Linux",
  );
});

test("programs are named with their version", () => {
  expect(words("curl/8.5.0")).toBe("curl 8.5.0");
  expect(words("mayday/0.1.0")).toBe("mayday 0.1.0");
  expect(words("Go-http-client/2.0")).toBe("a Go program");
  expect(deviceOf("node").kind).toBe("program");
});

test("unknown user agents are called unknown and not shown", () => {
  expect(words(null)).toBe("An unknown device");
  expect(words("  ")).toBe("An unknown device");
  expect(words("You have won! <script>")).toBe("An unknown program");
  expect(words("a".repeat(5_000))).toBe("An unknown program");
  expect(words("Mozilla/5.0 (X11; Linux x86_64)")).toBe("A browser on Linux");
});
