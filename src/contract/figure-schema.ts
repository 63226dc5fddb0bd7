import * as z from "zod/mini";
import { type FigureBatch, type FigureReport, MAX_FIGURE_DAYS } from "./figures.ts";

/** Upper bound on the number of figures; there are fewer. */
const MAX_FIGURES = 400;
/** Upper bound on a count: more than is possible in the period of a batch, and sums of many stay exact. */
const MAX_COUNT = 1_000_000_000;
/** Maximum number of days in a batch. */
const MAX_DAYS = 100;

const toDay = (most: number) =>
  z.strictObject({
    day: z.iso.date().check(z.regex(/^20/)),
    counts: z
      .record(z.string().check(z.regex(/^[a-z]{1,20}\.[\w.-]{1,60}$/)), z.int().check(z.gte(0), z.lte(most)))
      .check(z.refine((counts) => Object.keys(counts).length <= MAX_FIGURES)),
  });

/** Batches that a server accepts from clients. */
export const FIGURE_BATCH: z.ZodMiniType<FigureBatch> = z.strictObject({
  batch: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  days: z.array(toDay(MAX_COUNT)).check(
    z.minLength(1),
    z.maxLength(MAX_DAYS),
    z.refine((days) => new Set(days.map(({ day }) => day)).size === days.length),
  ),
});

/** Reports that a client accepts from servers. */
export const FIGURE_REPORT: z.ZodMiniType<FigureReport> = z.object({
  days: z.int().check(z.gte(1), z.lte(MAX_FIGURE_DAYS)),
  clients: z.int().check(z.gte(0)),
  per_day: z.array(toDay(Number.MAX_SAFE_INTEGER)).check(z.maxLength(MAX_FIGURE_DAYS + 1)),
});
