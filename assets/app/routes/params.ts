// Parameters in paths. An invalid one leads to "no such page".

import { notFound } from "@tanstack/react-router";
import { idOf } from "../search-params.ts";

/** `$name` of a path as a whole number. */
export function numberParam<Name extends string>(name: Name) {
  return {
    parse: (params: Record<Name, string>) => {
      const id = idOf(params[name]);
      if (id === undefined) throw notFound();
      return { [name]: id } as Record<Name, number>;
    },
    stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
  };
}

/** `$section` of a path, one of these. */
export function sectionParam<Section extends string>(sections: readonly Section[]) {
  return {
    parse: ({ section }: { section: string }) => {
      const known = sections.find((name) => name === section);
      if (!known) throw notFound();
      return { section: known };
    },
    stringify: ({ section }: { section: Section }) => ({ section }),
  };
}
