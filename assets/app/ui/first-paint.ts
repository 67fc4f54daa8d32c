import { useEffect } from "react";

/** Removes the styles that early.js set before the style sheets loaded; those follow a change of the scheme. */
export function useStyledPaint(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.removeProperty("background-color");
    style.removeProperty("color-scheme");
  }, []);
}
