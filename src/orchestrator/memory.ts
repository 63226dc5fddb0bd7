import { hashHex } from "../base/hash.ts";
import { isRecord, parseObject } from "../base/text.ts";
import type { Signal } from "../contract/run-document.ts";
import type { FollowUp } from "./follow-up.ts";
import type { FusedFinding } from "./fuse.ts";
import type { Snippet } from "./snippets.ts";

/** Something that a turn was about. */
export interface Subject {
  readonly symbol: string;
  /** Path at which it was found; empty if it was not. */
  readonly path: string;
  /** True if the question named it, false if it was only found. */
  readonly named: boolean;
}

/** Memory of one turn: names, places and fingerprints of evidence, but no text of prompts or files. */
export interface Turn {
  /** Key of the repository and session that the turn belongs to. */
  readonly of: string;
  /** Ordered by relevance. */
  readonly subjects: readonly Subject[];
  /** Paths that the question named. */
  readonly paths: readonly string[];
  /** Keys of the evidence that was put into the prompt. */
  readonly given: readonly string[];
}

/** Maximum size of a session's file in bytes. */
export const MAX_MEMORY_BYTES = 64 * 1024;

/** Version of the stored format; other versions are not read. */
const VERSION = 1;
const MAX_TURNS = 8;
const MAX_SUBJECTS = 6;
const MAX_PATHS = 6;
const MAX_GIVEN = 24;
/** Number of turns that a follow-up can refer back to. */
const REACH = 2;
const MAX_RECALLED = 3;
const RECALLED_WEIGHT = 0.6;

const SYMBOL = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:#>-]{0,119}$/u;
const PATH = /^[^\s<>\p{C}]{1,300}$/u;
const KEY = /^[0-9a-f]{16}$/;

/** Key shared by all turns of one session in one repository. */
export function toTurnKey(root: string, sessionId: string): string {
  return hashHex([root, sessionId], 16);
}

/** Adds a turn. Contract: keeps the newest eight, with each list within its bounds; drops a turn without content. */
export function remember(turns: readonly Turn[], turn: Turn): readonly Turn[] {
  const next = {
    of: turn.of,
    subjects: turn.subjects.filter(isSubject).slice(0, MAX_SUBJECTS),
    paths: turn.paths.filter((path) => PATH.test(path)).slice(0, MAX_PATHS),
    given: [...new Set(turn.given)].slice(0, MAX_GIVEN),
  };
  const isEmpty = next.subjects.length + next.paths.length + next.given.length === 0;
  return isEmpty ? turns : [...turns, next].slice(-MAX_TURNS);
}

/** Serialises turns. Contract: at most MAX_MEMORY_BYTES; drops the oldest turns if very long names exceed that. */
export function writeTurns(turns: readonly Turn[]): string {
  const text = `${JSON.stringify({ version: VERSION, turns })}\n`;
  return Buffer.byteLength(text) <= MAX_MEMORY_BYTES ? text : writeTurns(turns.slice(1));
}

/**
 * Parses the turns of a file. Contract: never throws; returns an empty list for anything that `writeTurns` does not
 * produce.
 */
export function readTurns(text: string): readonly Turn[] {
  const { version, turns } = parseObject(text) ?? {};
  if (version !== VERSION || !Array.isArray(turns)) return [];
  return turns.length <= MAX_TURNS && turns.every(isTurn) ? turns : [];
}

function isTurn(value: unknown): value is Turn {
  if (!isRecord(value)) return false;
  const { of, subjects, paths, given } = value;
  const isList = (list: unknown, most: number, test: (item: unknown) => boolean) =>
    Array.isArray(list) && list.length <= most && list.every(test);
  return (
    isText(of, KEY) &&
    isList(subjects, MAX_SUBJECTS, isSubject) &&
    isList(paths, MAX_PATHS, (path) => isText(path, PATH)) &&
    isList(given, MAX_GIVEN, (key) => isText(key, KEY))
  );
}

function isSubject(value: unknown): value is Subject {
  if (!isRecord(value)) return false;
  const { symbol, path, named } = value;
  return isText(symbol, SYMBOL) && (path === "" || isText(path, PATH)) && typeof named === "boolean";
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}

/** The referents of a follow-up. */
interface Recalled {
  readonly symbols: readonly string[];
  readonly paths: readonly string[];
  readonly signals: readonly Signal[];
  /** True if evidence was found at most two turns ago. */
  readonly hasEvidence: boolean;
}

/**
 * Resolves a follow-up. Contract: pure; the names in the newest turn with a subject come first, otherwise its best
 * finding; at most three names; null if there is nothing to refer to.
 */
export function recall(turns: readonly Turn[], { plural, namesOwn }: FollowUp): Recalled | null {
  const near = turns.slice(-REACH);
  const turn = near.findLast(({ subjects, paths }) => subjects.length + paths.length > 0);
  if (turn === undefined) return null;
  const named = turn.subjects.filter((subject) => subject.named);
  // A question about a file means that file; findings in other files are irrelevant.
  const found = turn.subjects.filter(
    (subject) => !subject.named && (turn.paths.length === 0 || turn.paths.includes(subject.path)),
  );
  const meant = plural ? [...named, ...found] : named.length > 0 ? named : found.slice(0, 1);
  const symbols = meant.map(({ symbol }) => symbol).slice(0, namesOwn ? 1 : MAX_RECALLED);
  const files = named.length === 0 ? turn.paths.slice(0, MAX_RECALLED) : [];
  const place = meant[0]?.path ?? "";
  const matches = [...symbols.map((symbol) => `symbol: ${symbol}`), ...files.map((path) => `path: ${path}`)];
  return {
    symbols,
    paths: files.length > 0 || place === "" ? files : [place],
    signals: matches.slice(0, MAX_RECALLED).map((match) => ({ type: "historical", match, weight: RECALLED_WEIGHT })),
    // Evidence that was withheld as already known counts too: its subject has a path.
    hasEvidence: near.some(({ given, subjects }) => given.length > 0 || subjects.some(({ path }) => path !== "")),
  };
}

/** Evidence of a run. */
export interface Evidence {
  readonly findings: readonly FusedFinding[];
  readonly snippets: readonly Snippet[];
}

/**
 * Fingerprints of evidence. Contract: a different line, summary or text gives a different key, so changed code is given
 * again.
 */
export function toKeys({ findings, snippets }: Evidence): string[] {
  return [...findings.map(findingKey), ...snippets.map(snippetKey)];
}

function findingKey({ path, symbol, line, title, summary }: FusedFinding): string {
  return hashHex(["finding", path, symbol, String(line), title, summary], 16);
}

function snippetKey({ path, startLine, lines }: Snippet): string {
  return hashHex(["snippet", path, String(startLine), ...lines], 16);
}

/** Evidence that is new to a conversation, and the names of the rest. */
interface SplitEvidence extends Evidence {
  /** `src/a.ts:12 parseConfig`: each place once, ordered by relevance. */
  readonly withheld: readonly string[];
}

/** Separates the evidence that these turns have already given. */
export function splitGiven({ findings, snippets }: Evidence, turns: readonly Turn[]): SplitEvidence {
  const given = new Set(turns.flatMap((turn) => turn.given));
  if (given.size === 0) return { findings, snippets, withheld: [] };
  const isOld = (key: string) => given.has(key);
  // A place whose lines are shown again is not listed as withheld.
  const fresh = snippets.filter((snippet) => !isOld(snippetKey(snippet)));
  const names = new Map<string, string>();
  const oldFindings = findings.filter((finding) => isOld(findingKey(finding)));
  for (const { path, line, symbol, summary } of oldFindings) {
    const place = path === "" ? summary.slice(0, 60) : `${path}${line === null ? "" : `:${line}`}`;
    if (!names.has(place) || symbol !== "") names.set(place, symbol === "" ? place : `${place} ${symbol}`);
  }
  for (const { path, startLine } of snippets.filter((snippet) => !fresh.includes(snippet))) {
    const place = `${path}:${startLine}`;
    if (!names.has(place)) names.set(place, place);
  }
  return {
    findings: findings.filter((finding) => !oldFindings.includes(finding)),
    snippets: fresh,
    withheld: [...names.values()],
  };
}
