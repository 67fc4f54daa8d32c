import { expect, test } from "vitest";
import { light, night } from "./theme.ts";

/** Contrast of two `#rrggbb` colours as WCAG 2 counts it. */
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p) as [number, number];
  return (x + 0.05) / (y + 0.05);
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [r, g, b] = parts.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const texts = ["--text", "--text-muted", "--accent", "--fatal", "--error", "--warning", "--info", "--good", "--bad"];
const grounds = ["--ground", "--ground-raised", "--ground-hover", "--ground-pointed", "--ground-chosen"];

for (const [name, scheme] of Object.entries({ light, night })) {
  test(`every text is readable on every background: ${name}`, () => {
    for (const text of texts) {
      for (const ground of grounds) {
        expect(contrast(scheme[text] ?? "", scheme[ground] ?? ""), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(scheme["--accent-text"] ?? "", scheme["--accent"] ?? "")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(scheme["--text"] ?? "", scheme["--mark"] ?? "")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(scheme["--text"] ?? "", scheme["--line-thrown"] ?? "")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(scheme["--bad"] ?? "", scheme["--bad-ground"] ?? "")).toBeGreaterThanOrEqual(4.5);
    // Borders of controls and the focus ring are told from their ground.
    expect(contrast(scheme["--line-strong"] ?? "", scheme["--ground"] ?? "")).toBeGreaterThanOrEqual(3);
    expect(contrast(scheme["--focus"] ?? "", scheme["--ground"] ?? "")).toBeGreaterThanOrEqual(3);
  });

  test(`both schemes have the same tokens: ${name}`, () => {
    expect(Object.keys(scheme).sort()).toEqual(Object.keys(light).sort());
  });
}
