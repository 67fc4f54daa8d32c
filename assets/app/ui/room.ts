/** The room that messages of a height in pixels take, with the gaps above and below them; none without messages. */
export const roomFor = (height: number): string => (height === 0 ? "0rem" : `calc(${height}px + 2 * var(--gap-4))`);
