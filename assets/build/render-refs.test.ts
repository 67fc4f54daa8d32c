import { expect, test } from "vitest";
import { refsWrittenInRender } from "./render-refs.ts";

test("a write while rendering is found, by its line", () => {
  const source = `
    export function useHeld(value: number) {
      const held = useRef(value);
      held.current = value;
      if (value > 1) held.current ??= 1;
      useEffect(() => { held.current = 2; });
      return () => { held.current = 3; };
    }
    const Row = () => { place.current = 1; return null; };
    function helper() { place.current = 1; }
    held.current = 1;`;
  expect(refsWrittenInRender("held.tsx", source)).toEqual([4, 5, 9]);
});
