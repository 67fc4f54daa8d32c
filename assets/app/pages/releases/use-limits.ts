import { type Limits, limitsOf } from "../../navigation/limits.ts";
import { useCarried } from "../../navigation/use-carried.ts";

/** The environment and the period that the lists around a release's page are limited to. */
export const useLimits = (): Required<Limits> => limitsOf(useCarried("releases"));
