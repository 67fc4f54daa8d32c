/** `0:07`, `12:34`, `1:02:03`, of milliseconds. */
export function timecode(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const two = (count: number) => String(count).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** For those who listen: `1 minute 7 seconds`. */
export function spoken(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const words = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}s`);
  return minutes > 0 ? `${words(minutes, "minute")} ${words(rest, "second")}` : words(rest, "second");
}
