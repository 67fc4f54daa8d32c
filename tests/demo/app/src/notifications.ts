interface Registration {
  pushManager?: { subscribe: (options: object) => Promise<object> };
}

export async function subscribe(registration: Registration): Promise<object> {
  const options = { userVisibleOnly: true };
  return registration.pushManager!.subscribe(options);
}

export function badge(count: unknown): string {
  const shown = (count as number).toFixed(0);
  return shown.length > 2 ? "99+" : shown;
}
