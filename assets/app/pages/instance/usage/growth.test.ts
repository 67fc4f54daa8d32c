import { expect, test } from "vitest";
import { growthWords } from "./Growth.tsx";

const words = (growth_bytes_per_day: number | null, full_in_days: number | null = null) =>
  growthWords({ growth_bytes_per_day, full_in_days, free_bytes: 2048 });

test("growth is described with its consequence", () => {
  expect(words(null)).toContain("once there are figures for two days");
  expect(words(-5)).toBe("2.0 KiB are free on its disk. It has not grown in the last days.");
  expect(words(1024)).toBe("2.0 KiB are free on its disk. It grows by 1.0 KiB a day.");
  expect(words(1024, 1)).toContain("nothing more can be accepted in about 1 day.");
  expect(words(1024, 0)).toContain("nothing more can be accepted within a day.");
});
