import { useLocation } from "@tanstack/react-router";
import { type Limits, limitsOf } from "../../navigation/limits.ts";

/** The environment and the period in the address of a release's page, which it and the lists around it are limited to. */
export const useLimits = (): Required<Limits> => limitsOf(useLocation({ select: ({ search }) => search }));
