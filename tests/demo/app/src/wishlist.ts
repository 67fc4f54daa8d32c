interface Storage {
  used: number;
  limit: number;
}

interface Lists {
  [name: string]: { items: string[]; changedAt?: number };
}

export function keep(storage: Storage, list: string[]): void {
  const size = JSON.stringify(list).length;
  if (storage.used + size > storage.limit) {
    throw new DOMException("Failed to execute 'setItem' on 'Storage': Setting the value of 'wishlist' exceeded the quota.", "QuotaExceededError");
  }
  storage.used += size;
}

export function toggle(lists: Lists, name: string, sku: string): void {
  const list = lists[name]!;
  list.changedAt = Date.now();
  list.items = list.items.includes(sku) ? list.items.filter((item) => item !== sku) : [...list.items, sku];
}

export async function share(target: { share?: (what: object) => Promise<void> }, name: string): Promise<void> {
  const what = { title: name, url: `/lists/${name}` };
  await target.share!(what);
}
