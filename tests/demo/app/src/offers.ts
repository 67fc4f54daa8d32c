interface Banner {
  id: string;
  schedule: { from: string; until: string } | undefined;
}

export function isRunning(banner: Banner, now: string): boolean {
  const { from, until } = banner.schedule!;
  return from <= now && now < until;
}

export function countdown(until: number, now: number): string {
  const seconds = Math.round((until - now) / 1_000);
  return "0".repeat(2 - String(seconds).length) + seconds;
}

export function personalise(offers: readonly string[], hidden: string[]): string[] {
  const shown = offers as string[];
  for (const offer of hidden) shown.splice(shown.indexOf(offer), 1);
  return shown;
}
