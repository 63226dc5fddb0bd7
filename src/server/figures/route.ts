import { parseObject } from "../../base/text.ts";
import { FIGURE_BATCH } from "../../contract/figure-schema.ts";
import {
  type DayFigures,
  type FigureReport,
  MAX_FIGURE_DAYS,
  makeFigureNamer,
  splitFigure,
  USUAL_FIGURE_DAYS,
} from "../../contract/figures.ts";
import { type Reply, refusal } from "../http.ts";
import type { Route, RouteCall } from "../routes.ts";
import type { PeriodicTask } from "../sweep.ts";

/** Several times the largest batch that a client makes. */
const MAX_BYTES = 1024 * 1024;
/** Maximum age of accepted days: longer than clients keep them. */
const OLDEST_DAYS = 100;
/** Tolerance for a client's clock that runs ahead of the server's, possibly past midnight. */
const AHEAD_DAYS = 1;
/**
 * Maximum number of batch days that a token may add per day: many times what a client sends after a long time offline.
 */
const MOST_A_DAY = 2_000;
/** In UTC, so that all servers and clients mean the same day. */
const TODAY = "(now() AT TIME ZONE 'UTC')::date";

type Namer = ReturnType<typeof makeFigureNamer>;

/**
 * Figures that clients share: each token adds its own, and holders who may read a repository get sums over all of them.
 * Contract: stores and returns only numbers under names that this program knows; no answer distinguishes tokens.
 */
export function makeFigures(tools: readonly string[]): Route {
  const toName = makeFigureNamer(tools);
  return {
    template: "/v1/figures",
    maxBytes: MAX_BYTES,
    methods: { GET: sumFigures, POST: (call) => addFigures(call, toName) },
  };
}

async function addFigures({ body, holder, transaction }: RouteCall, toName: Namer): Promise<Reply> {
  const read = FIGURE_BATCH.safeParse(parseObject(body.toString("utf8")));
  if (!read.success) return refusal(422, "this is not a batch of figures");
  const { batch } = read.data;
  const days = read.data.days.map((day) => toKnown(day, toName));
  // The client keeps them until a newer server accepts them.
  if (days.includes(null)) return refusal(501, "this server does not know such figures; it may be too old");
  const { rows, change } = transaction;
  const [found] = await rows(
    `SELECT count(*) FILTER (WHERE day::date NOT BETWEEN ${TODAY} - ${OLDEST_DAYS} AND ${TODAY} + ${AHEAD_DAYS})::int AS odd,
       (SELECT count(*) FROM groundwork.figures WHERE token = $2 AND stored_at > now() - interval '1 day')::int AS added
     FROM unnest($1::text[]) AS day`,
    ...[read.data.days.map(({ day }) => day), holder.id],
  );
  if (found?.["odd"] !== 0)
    return refusal(422, `days must lie within the last ${OLDEST_DAYS} days, by the server's clock`);
  if (Number(found["added"]) > MOST_A_DAY)
    return refusal(429, "this token has sent too many figures today", { "retry-after": "3600" });
  // A batch may be repeated if its sender missed the answer: then all of its days exist already.
  await change(
    `INSERT INTO groundwork.figures (token, batch, day, counts)
     SELECT $1, $2, day, counts FROM jsonb_to_recordset($3::jsonb) AS given (day date, counts jsonb)
     ON CONFLICT DO NOTHING`,
    ...[holder.id, batch, JSON.stringify(days)],
  );
  return { status: 200, body: { stored: batch } };
}

/** Maps figures to known names; null if one belongs to an unknown group. */
function toKnown({ day, counts }: DayFigures, toName: Namer): DayFigures | null {
  const known = new Map<string, number>();
  for (const [figure, count] of Object.entries(counts)) {
    const split = splitFigure(figure);
    if (split === null) return null;
    const name = toName(...split);
    known.set(name, (known.get(name) ?? 0) + count);
  }
  return { day, counts: Object.fromEntries(known) };
}

async function sumFigures({ query, holder, transaction }: RouteCall): Promise<Reply> {
  if (holder.read.length === 0)
    return refusal(403, "figures are for tokens that may read a repository; this one may read none");
  const days = Number(query.get("days") ?? USUAL_FIGURE_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > MAX_FIGURE_DAYS)
    return refusal(400, `days is a number from 1 to ${MAX_FIGURE_DAYS}`);
  const [who] = await transaction.rows(
    `SELECT count(DISTINCT token)::int AS clients FROM groundwork.figures WHERE day > ${TODAY} - $1::int`,
    days,
  );
  const sums = await transaction.rows(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, key, sum(value::bigint)::float8 AS count
     FROM groundwork.figures, jsonb_each_text(counts) WHERE day > ${TODAY} - $1::int GROUP BY day, key ORDER BY day, key`,
    days,
  );
  const perDay = new Map<string, Record<string, number>>();
  for (const { day, key, count } of sums) {
    const counts = perDay.get(String(day)) ?? {};
    perDay.set(String(day), counts);
    counts[String(key)] = Number(count);
  }
  const report: FigureReport = {
    days,
    clients: Number(who?.["clients"]),
    per_day: [...perDay].map(([day, counts]) => ({ day, counts })),
  };
  return { status: 200, body: report };
}

/** Removes figures that are too old to be requested. */
export const FIGURE_SWEEP: PeriodicTask = {
  name: "figures",
  everyMs: 3_600_000,
  work: async ({ change }) => ({
    removed: await change(`DELETE FROM groundwork.figures WHERE day < ${TODAY} - ${MAX_FIGURE_DAYS}`),
  }),
};
