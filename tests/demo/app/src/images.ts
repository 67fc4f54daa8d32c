interface Source {
  src: string;
  sizes?: { width: number; height: number }[];
}

interface Loading {
  observer: { observe: (element: object) => void } | null;
}

export async function decode(source: Source): Promise<string> {
  await Promise.resolve();
  throw new DOMException(`The source image cannot be decoded.`, source.src.endsWith(".avif") ? "EncodingError" : "DataError");
}

export function srcset(source: Source): string {
  return source.sizes!.map(({ width }) => `${source.src}?w=${width} ${width}w`).join(", ");
}

export function loadLater(loading: Loading, element: object): void {
  const { observer } = loading;
  observer!.observe(element);
}
