/** Steps through the history to an entry before this one; `undefined` when it is not before. */
export const stepsBack = (wanted: number | undefined, now: number): number | undefined =>
  wanted !== undefined && wanted >= 0 && wanted < now ? wanted - now : undefined;
