// The queries of the log explorer. They are for fixed times, so that responses never become stale.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, exactApi, ok } from "../../api/client.ts";
import { type PageParam, nextPage, pageSize } from "./pages.ts";
import type { Filters } from "./range.ts";

const key = (project: number) => ["project", project, "logs"] as const;
const fixed = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 } as const;

/** Templates, or values of a field, per request. */
const listSize = 50;

export const entriesQuery = (project_id: number, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: [...key(project_id), "entries", filters],
    queryFn: ({ signal, pageParam: { offset, end } }) => {
      const query = { ...filters, limit: pageSize, offset, ...(end && { end_time: end }) };
      return ok(
        exactApi.GET("/api/v1/projects/{project_id}/logs", { params: { path: { project_id }, query }, signal }),
      );
    },
    initialPageParam: { offset: 0 } as PageParam,
    getNextPageParam: (last, _, param) => nextPage(last, param),
    placeholderData: keepPreviousData,
    ...fixed,
  });

/** Entries that the live tail begins with. */
const tailBegin = 50;

/** The newest entries of all times, for a tail that has just begun. */
export const lastEntriesQuery = (project_id: number, filters: Filters, tail: string) =>
  queryOptions({
    queryKey: [...key(project_id), "last", tail],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { ...filters, limit: tailBegin } };
      return (await ok(exactApi.GET("/api/v1/projects/{project_id}/logs", { params, signal }))).logs;
    },
    ...fixed,
    gcTime: 0,
  });

/** The most entries that a tail loads after its connection was lost. */
const missedMost = 500;

/** Until a search finds an entry that was accepted, in milliseconds. */
export const searchable = 2_500;

/** The newest entries of all times, once a search finds what came right before. */
export const missedQuery = (project_id: number, filters: Filters, loss: readonly unknown[]) =>
  queryOptions({
    queryKey: [...key(project_id), "missed", ...loss],
    queryFn: async ({ signal }) => {
      await new Promise((done) => setTimeout(done, searchable));
      const params = { path: { project_id }, query: { ...filters, limit: missedMost } };
      return await ok(exactApi.GET("/api/v1/projects/{project_id}/logs", { params, signal }));
    },
    ...fixed,
    gcTime: 0,
  });

/** Entries of all times; `0` before the first one was sent. */
export const countQuery = (project_id: number) =>
  queryOptions({
    queryKey: [...key(project_id), "count"],
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { limit: 1 } };
      return (await ok(exactApi.GET("/api/v1/projects/{project_id}/logs", { params, signal }))).total;
    },
    staleTime: 0,
  });

export const histogramQuery = (project_id: number, filters: Filters) =>
  queryOptions({
    queryKey: [...key(project_id), "histogram", filters],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/projects/{project_id}/logs/histogram", {
          params: { path: { project_id }, query: filters },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    ...fixed,
  });

export const templatesQuery = (project_id: number, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: [...key(project_id), "templates", filters],
    queryFn: ({ signal, pageParam }) => {
      const params = { path: { project_id }, query: { ...filters, limit: listSize, offset: pageParam } };
      return ok(api.GET("/api/v1/projects/{project_id}/logs/templates", { params, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * listSize : undefined),
    placeholderData: keepPreviousData,
    ...fixed,
  });

/** The names of fields, or the values of one. */
export const fieldsQuery = (project_id: number, filters: Filters, field?: string) =>
  queryOptions({
    queryKey: [...key(project_id), "fields", filters, field ?? null],
    queryFn: ({ signal }) => {
      const query = { ...filters, limit: listSize, ...(field === undefined ? {} : { field }) };
      return ok(
        api.GET("/api/v1/projects/{project_id}/logs/fields", { params: { path: { project_id }, query }, signal }),
      );
    },
    ...fixed,
  });

/** The entries before and after an entry; with both sides empty, the entry alone. */
export const contextQuery = (
  project_id: number,
  around: { id: number; before: number; after: number; search?: string },
) =>
  queryOptions({
    queryKey: [...key(project_id), "context", around],
    queryFn: ({ signal }) =>
      ok(
        exactApi.GET("/api/v1/projects/{project_id}/logs/context", {
          params: { path: { project_id }, query: around },
          signal,
        }),
      ),
    ...fixed,
  });

export const traceErrorsQuery = (project_id: number, trace_id: string) =>
  queryOptions({
    queryKey: [...key(project_id), "trace errors", trace_id],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/projects/{project_id}/traces/{trace_id}/errors", {
          params: { path: { project_id, trace_id } },
          signal,
        }),
      ),
  });
