// The queries of the release pages.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ok } from "./client.ts";
import { keptWithin } from "./placeholder.ts";
import { releaseKeys } from "./mapped-releases.ts";

export const mapSorts = ["url", "size", "uses"] as const;
export type MapSort = (typeof mapSorts)[number];

/** Rows per request. */
const page = { releases: 50, maps: 500 };

/** The offset of what comes after these pages, if anything does. */
export function nextOffset(pages: { rows: unknown[]; total: number }[]): number | undefined {
  const got = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  const last = pages.at(-1);
  return last && last.rows.length > 0 && got < last.total ? got : undefined;
}

/** What a list of releases is limited to. */
interface ReleaseLimits {
  environment?: string | undefined;
  period?: string | undefined;
}

/** What a question is limited to, as the server reads it. */
const asksWithin = (environment: string | undefined) => (environment === undefined ? {} : { environment });

export const releasesQuery = (project_id: number, query: string, { environment, period }: ReleaseLimits) =>
  infiniteQueryOptions({
    queryKey: [...releaseKeys.all(project_id), "list", query, environment ?? null, period ?? null],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => {
      const asked = {
        limit: page.releases,
        offset: pageParam,
        ...(query === "" ? {} : { query }),
        ...asksWithin(environment),
        ...(period === undefined ? {} : { period }),
      };
      const params = { path: { project_id }, query: asked };
      const { releases, total } = await ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
      return { rows: releases, total };
    },
    getNextPageParam: (_, pages) => nextOffset(pages),
    placeholderData: keepPreviousData,
  });

/** The newest versions, to choose one from. */
export const newestReleasesQuery = (project: number) =>
  queryOptions({
    queryKey: [...releaseKeys.all(project), "versions"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id: project }, query: { limit: 20 } };
      const { releases } = await ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
      return releases.map((release) => release.version);
    },
  });

/** The newest versions that contain a text. */
export const foundReleasesQuery = (project_id: number, query: string) =>
  queryOptions({
    queryKey: [...releaseKeys.all(project_id), "found", query],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { query, limit: 4 } };
      const { releases } = await ok(api.GET("/api/v1/projects/{project_id}/releases", { params, signal }));
      return releases.map(({ version }) => version);
    },
  });

/** A release; in an environment, with what it has there. */
export const releaseQuery = (project_id: number, version: string, environment?: string) =>
  queryOptions({
    queryKey: [...releaseKeys.one(project_id, version), "record", environment ?? null],
    queryFn: ({ signal }) => {
      const params = { path: { project_id, version }, query: asksWithin(environment) };
      return ok(api.GET("/api/v1/projects/{project_id}/releases/{version}", { params, signal }));
    },
    // Events that came before their source maps are being resolved again.
    refetchInterval: ({ state }) => (state.data?.late?.finished_at === null ? 2_000 : false),
  });

export const sourceMapsQuery = (project_id: number, version: string, query: string, sort: MapSort) =>
  infiniteQueryOptions({
    queryKey: [...releaseKeys.one(project_id, version), "maps", query, sort],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => {
      const asked = {
        limit: page.maps,
        offset: pageParam,
        ...(query === "" ? {} : { query }),
        ...(sort === "url" ? {} : { sort }),
      };
      const params = { path: { project_id, version }, query: asked };
      const answer = api.GET("/api/v1/projects/{project_id}/releases/{version}/sourcemaps", { params, signal });
      const { source_maps, total } = await ok(answer);
      return { rows: source_maps, total };
    },
    getNextPageParam: (_, pages) => nextOffset(pages),
    placeholderData: keepPreviousData,
  });

export const unresolvedQuery = (project_id: number, version: string) =>
  queryOptions({
    queryKey: [...releaseKeys.one(project_id, version), "unresolved"],
    queryFn: ({ signal }) => {
      const params = { path: { project_id, version } };
      return ok(api.GET("/api/v1/projects/{project_id}/releases/{version}/unresolved", { params, signal }));
    },
  });

/** The project's deploys of the last hours, the last first: as many as charts mark. */
export const deploysQuery = (project_id: number, hours: number) =>
  queryOptions({
    queryKey: [...releaseKeys.all(project_id), "deploys", hours],
    queryFn: async ({ signal }) => {
      const start_time = new Date(Date.now() - hours * 3_600_000).toISOString();
      const params = { path: { project_id }, query: { start_time, limit: 100 } };
      return (await ok(api.GET("/api/v1/projects/{project_id}/deploys", { params, signal }))).deploys;
    },
  });

export const deploysOfQuery = (project_id: number, version: string) =>
  queryOptions({
    queryKey: [...releaseKeys.one(project_id, version), "deploys"],
    queryFn: ({ signal }) => {
      const params = { path: { project_id, version }, query: { limit: 20 } };
      return ok(api.GET("/api/v1/projects/{project_id}/releases/{version}/deploys", { params, signal }));
    },
  });

/** A release beside another, or beside the release before it, in an environment or in all. */
export function comparisonQuery(
  project_id: number,
  version: string,
  other: string | undefined,
  environment: string | undefined,
) {
  const there = [...releaseKeys.one(project_id, version), "compare", environment ?? null];
  return queryOptions({
    queryKey: [...there, other ?? null],
    queryFn: ({ signal }) => {
      const asked = { ...(other === undefined ? {} : { with: other }), ...asksWithin(environment) };
      const params = { path: { project_id, version }, query: asked };
      return ok(api.GET("/api/v1/projects/{project_id}/releases/{version}/compare", { params, signal }));
    },
    placeholderData: keptWithin(there),
  });
}

/** The hours of a trend, and the environment whose events it counts: all of them, unless it names one. */
interface TrendOf {
  hours: number;
  environment: string | undefined;
}

const askedTrend = ({ hours, environment }: TrendOf) => ({ hours, ...asksWithin(environment) });

export const askReleaseTrend = (project_id: number, version: string, of: TrendOf, signal: AbortSignal) =>
  ok(
    api.GET("/api/v1/projects/{project_id}/releases/{version}/trend", {
      params: { path: { project_id, version }, query: askedTrend(of) },
      signal,
    }),
  );

export const askProjectTrend = (project_id: number, of: TrendOf, signal: AbortSignal) =>
  ok(
    api.GET("/api/v1/projects/{project_id}/trend", { params: { path: { project_id }, query: askedTrend(of) }, signal }),
  );

export async function deleteRelease(project_id: number, version: string): Promise<void> {
  await ok(
    api.DELETE("/api/v1/projects/{project_id}/releases/{version}", { params: { path: { project_id, version } } }),
  );
}
