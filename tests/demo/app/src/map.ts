import { unreachable } from "./errors";

export interface Place {
  lng: number;
  lat: number;
}

export async function loadTile(zoom: number, x: number, y: number): Promise<ArrayBuffer> {
  const url = `https://tiles.shop.example/${zoom}/${x}/${y}.pbf`;
  await Promise.resolve();
  throw unreachable(url, 504);
}

/** Web Mercator, in pixels of the world at a zoom. */
export function project(place: Place, zoom: number): [number, number] {
  if (Math.abs(place.lat) > 90) throw new RangeError(`Invalid LngLat object: (${place.lng}, ${place.lat})`);
  const size = 512 * 2 ** zoom;
  const y = Math.log(Math.tan(Math.PI / 4 + (place.lat * Math.PI) / 360));
  return [((place.lng + 180) / 360) * size, size / 2 - (size * y) / (2 * Math.PI)];
}

export function nearest(shops: Place[], here: Place | null): Place {
  const distance = (shop: Place) => Math.hypot(shop.lng - here!.lng, shop.lat - here!.lat);
  return shops.sort((one, other) => distance(one) - distance(other))[0]!;
}
