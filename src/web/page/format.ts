import { toLocalTime } from "../../base/moment.ts";
import type { Language } from "./texts.ts";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", zh: "zh-CN" };

/** Makes the formatter of numbers and times in a language. Contract: text that is not a time is returned unchanged. */
export function makeFormat(language: Language) {
  const locale = LOCALES[language];
  const numbers = new Intl.NumberFormat(locale);
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const days = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
  const write = (format: Intl.DateTimeFormat) => (iso: string) => {
    const ms = Date.parse(iso);
    return Number.isNaN(ms) ? iso : format.format(ms);
  };
  return {
    number: (value: number) => numbers.format(Math.round(value)),
    /** `312 ms`, `1.4 s`. */
    duration: (ms: number) => (ms < 1_000 ? `${numbers.format(Math.round(ms))} ms` : `${seconds.format(ms / 1_000)} s`),
    percent: (share: number) => percents.format(share),
    /** `14:03:22`. */
    time: write(times),
    dateTime: write(whole),
    /** A whole day with its weekday. */
    day: write(days),
  };
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? path;
}

/** A day in the reader's time zone, as `2026-11-17`. */
export function dayOf(iso: string): string {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? "" : toLocalTime(ms).slice(0, 10);
}
