/** What sessions do, in words; nothing while none runs. Those that wait for a person count as running, too. */
export function goingOn(running: number, waiting: number): string | undefined {
  const parts = [waiting > 0 && `${waiting} waiting for you`, running > waiting && `${running - waiting} running`];
  return parts.filter(Boolean).join(", ") || undefined;
}
