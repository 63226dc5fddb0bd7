// Strings that occur in one to three files of a repository and that it does not define: settings, variables, flags, …
import { choose, numberOf, shuffle } from "./choice.mjs";

const MOST_FILES = 3;
/** Lines longer than this are data. */
const WIDE_LINE = 300;
const CODE =
  /\.([cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|swift|c|cc|cpp|cxx|h|hh|hpp|cs|php|pl|pm|lua|sh|bash|ps1|ex|exs|erl|clj|hs|ml|vue|svelte|y|l)$/;
const SETTINGS = /\.(ya?ml|toml|ini|cfg|conf|properties|jsonc?)$/;
const STYLE = /\.(css|scss|sass|less)$/;
const COMMENT = /^\s*(\/\/|#|\*|\/\*|--\s|<!--|;|%|""")/;
const IMPORT = /^\s*(import|export\b.*\bfrom|from|use|using|#\s*include|package)\b|\brequire\(|\bimport\(/;
const TELLS = /error|err\b|warn|log|fail|throw|raise|panic|fatal|exception|abort|print|die\b|invalid|msg|message|echo/i;
const READS_VARIABLE =
  /(?:env(?:iron)?(?:\.get|\.fetch|::var(?:_os)?|!)?\s*[[(.]\s*["'`]?|(?:get_?env|lookup_?env|GetEnvironmentVariable|envvar)\w*\s*[(=]\s*["'`])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/gi;
const SHELL_VARIABLE = /\$\{([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+):?[-=?]/g;
const FLAG = /["'`](?:[^"'`]*[\s[|])?(--[a-z][a-z0-9]{2,}(?:-[a-z0-9]+)*)(?=[\s"'`=,\]|])/g;
const LITERAL = /(["'])([A-Za-z][A-Za-z0-9]*(?:[.:-][A-Za-z][A-Za-z0-9_]*)+)\1/g;
const PHRASE = /(?<!["'\\\w])(["'`])((?:(?!\1)[^\\\n]){16,240})\1(?!["'])/g;
const ROUTE = /(["'`])(\/[a-z][\w-]*(?:\/(?:[\w-]+|:\w+|\{\w+\}|<[\w:]+>))+\/?)\1/g;
const NUMBER = /(?<![\w.#:/%&+-])[1-9]\d{3,8}(?![\w:/%-]|\.\d)/g;
const MEANING =
  /((?<![A-Za-z])(?:port|code|err(?:or|no)|timeout|status|limit|max|delay|interval)|Port|Code|Error|Timeout|Status|Limit|Delay|Interval|(?<![A-Z])(?:PORT|CODE|ERROR|TIMEOUT|LIMIT|MAX|DELAY|INTERVAL))(?![a-z])/;
const WORD = /(?<![\w$@.:\\/-])[a-z][a-z0-9]{5,13}(?!\w)/g;

/** Names of files and hosts, encodings, locations and versions, which are not identifiers. */
const NO_LITERAL =
  /\.(com|org|net|io|dev|local|test|html?|m?jsx?|tsx?|json|ya?ml|toml|ini|cfg|conf|txt|md|rst|py|rb|go|rs|c|h|java|cs|php|sh|css|scss|svg|png|jpe?g|gif|ico|xml|log|lock|exe|dll|so|zip|gz|tar|pem|key|crt|db|sql|csv|pid|sock|tmp|bak|map|wasm|po|mo|j2|tmpl|tpl|erb|hbs|ejs|liquid|twig|vue|svelte|tex|fs|example|\w+-syntax)$|^(utf|iso|us|x|sha|md|en|fr|de|zh|pt|cp|windows|latin|koi)[-\d]|^[a-z]{2,3}[-.:]\w{1,4}$|^(www|https?|mailto|file|data|node|npm)\b|^(tests?|foo|bar|example)[.-]|^[ymdhsiaztvnjgu]+([.:-][ymdhsiaztvnjgu]+)+$/i;
/** HTTP header fields and names of places are written alike. */
const TITLED = /^[A-Z][a-z]+(-[A-Z][a-z]+)+$/;
const HTTP = /header|http|request|response|content-|cache-|access-|proxy|sec-|transfer|accept|auth/i;
const SYSTEM_PATH =
  /^\/(usr|etc|bin|sbin|dev|tmp|home|var|proc|sys|opt|root|lib\d*|mnt|media|run|path|foo|bar|private|some|my|your|abc?|test|data|src|node_modules)(\/|$)/;
/** Consonant clusters that are common in English; other long clusters look random. */
const COMMON =
  /s?tch|s?chr?|ngth|ght|[nm]?pt|[nx]?[sc]?pl|[nb]?s?[cpt]r|[nr]?st|nct|ck|thr?|shr?|ph|wh|[rl]ld|rk|mpt|ndl|ttl|bbl|ppl|[a-z](?=ly$)|s$/g;
const LICENCE = /licen[cs]|copyright|warrant|permission|redistribut|merchantab/i;
const SMALL = new Set(
  "this that with from have been will would could should your them then than when what which there here into only must does cannot were they after until without more less least while also before because about each very just some such other".split(
    " ",
  ),
);

const found = (text, pattern, group = 1) => [...text.matchAll(pattern)].map((match) => match[group]);

/** Keys of a settings file: dotted, snake case or kebab case. */
function keysOf(path, lines) {
  const pattern = /\.ya?ml$/.test(path)
    ? /^\s*(?:-\s+)?["']?([A-Za-z][\w.-]*)["']?\s*:(?:\s|$)/
    : !/\.jsonc?$/.test(path)
      ? /^\s*["']?([A-Za-z][\w.-]*)["']?\s*=(?![=~]|\s*(?:\{\s*version|["']v?[\^~<>=\d*]))/
      : /^\s*"([A-Za-z][\w.-]*)"\s*:(?!\s*"v?[\^~<>=\d*])/;
  const keys = lines.map((line) => pattern.exec(line)?.[1] ?? "");
  return keys.filter((key) => /[a-z][._-][a-z]/.test(key) && key.length >= 6 && !NO_LITERAL.test(key));
}

/** A part of a message: three to five words, determined by the seed. */
function partOf(message, seed) {
  const words = message.trim().split(/\s+/).length;
  const runs = message.match(/(?<![\w'%${}<])[A-Za-z][a-z']*(?: [a-z][a-z']*)+(?![\w'}(=:/.-])/g) ?? [];
  const run = runs.map((text) => text.split(" ")).find(({ length }) => length >= 3);
  if (words < 4 || run === undefined) return [];
  const isTelling = (word) => word.length >= 4 && !SMALL.has(word.toLowerCase());
  const parts = run.flatMap((_, start) => [3, 4, 5].map((count) => run.slice(start, start + count)));
  const isFit = (part) =>
    part.length >= 3 &&
    isTelling(part.at(-1)) &&
    part.filter(isTelling).length >= 2 &&
    (isTelling(part[0]) || message.startsWith(part[0]) || /^(no|not|cannot|can't)$/i.test(part[0]));
  // People who shorten a message leave out its end.
  const fit = parts.filter(isFit).filter(([first], _, [[start]]) => first === start);
  return fit.length === 0 ? [] : [fit[numberOf(seed, message) % fit.length].join(" ")];
}

function messagesOf(lines, at, seed) {
  if (!TELLS.test(`${lines[at - 1] ?? ""} ${lines[at]}`)) return [];
  return found(lines[at], PHRASE, 2).flatMap((message) => partOf(message, seed));
}

/** Numbers next to the word that says what they are. */
function numbersOf(line) {
  const beside = MEANING.exec(line)?.[1].toLowerCase();
  if (beside === undefined || /\b(rfc|pep|issue|ticket|cve|bug|gh|pr)\b/i.test(line)) return [];
  const numbers = line.match(NUMBER) ?? [];
  return numbers.filter((number) => !/^(19|20)\d\d$/.test(number)).map((token) => ({ kind: "number", token, beside }));
}

/** Words that look random: letters that do not go together, or a mix of letters and digits. */
function isRandom(word) {
  if (/^[0-9a-f]+$/.test(word) || /\d{4}|^[a-z]{1,2}\d/.test(word) || /^(python|sha|utf|int|uint|float)\d/.test(word))
    return false;
  return /[bcdfghjklmnpqrstvwxz]{4}/.test(word.replace(COMMON, "t")) || /^[a-z]{3,}\d+[a-z]+$/.test(word);
}

/** The tokens of a line of code, by kind. */
function tokensOfCode(lines, at, path, seed) {
  const line = lines[at];
  if (line.length > WIDE_LINE || COMMENT.test(line) || LICENCE.test(line)) return [];
  const toTokens = (kind, tokens) => tokens.map((token) => ({ kind, token }));
  const isLiteral = (token) => token.length >= 6 && !NO_LITERAL.test(token) && (!TITLED.test(token) || HTTP.test(line));
  const literals = IMPORT.test(line) ? [] : found(line, LITERAL, 2).filter(isLiteral);
  const routes = IMPORT.test(line) ? [] : found(line, ROUTE, 2).filter((route) => !SYSTEM_PATH.test(route));
  const variables = [...found(line, READS_VARIABLE), ...(/\.(ba)?sh$/.test(path) ? found(line, SHELL_VARIABLE) : [])];
  return [
    ...toTokens("variable", variables).filter(({ token }) => token === token.toUpperCase()),
    ...toTokens("flag", found(line, FLAG)),
    ...toTokens("literal", literals),
    ...toTokens("message", messagesOf(lines, at, seed)),
    ...toTokens("route", routes),
    ...numbersOf(line),
    ...toTokens("word", /[=(){};[\]]/.test(line) ? (line.match(WORD) ?? []).filter(isRandom) : []),
  ];
}

/** Classes of a style sheet. */
function classesOf(lines) {
  const selectors = lines.filter((line) => line.length <= WIDE_LINE && /[{,]\s*$/.test(line) && !/[@:]\s/.test(line));
  const names = selectors.flatMap((line) => found(line, /\.([A-Za-z][\w-]{3,})/g));
  return names.map((token) => ({ kind: "style", token }));
}

function tokensOf(path, text, seed) {
  const lines = text.split("\n");
  if (CODE.test(path)) return lines.flatMap((_, at) => tokensOfCode(lines, at, path, seed));
  if (STYLE.test(path)) return classesOf(lines);
  if (!SETTINGS.test(path)) return [];
  const short = lines.filter((line) => line.length <= WIDE_LINE && !COMMENT.test(line));
  return [...keysOf(path, short).map((token) => ({ kind: "setting", token })), ...short.flatMap(numbersOf)];
}

/**
 * A pattern that finds a token only as a whole: characters that join its parts also join it to other text; a dot at its
 * end only ends a sentence.
 */
function toWhole(token) {
  const joints = ["\\-", "/"].filter((sign) => token.includes(sign.at(-1))).join("");
  const dots = [".", ":"].filter((sign) => token.includes(sign)).join("");
  const escaped = token.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const goesOn = dots === "" ? `[\\w${joints}]` : `[\\w${joints}]|[${dots}]\\w`;
  return new RegExp(`(?<![\\w${dots}${joints.replace("\\-", "")}]|\\w-)${escaped}(?!${goesOn})`);
}

/** Files that contain a token as a whole; the search stops beyond MOST_FILES. */
function filesWith(token, texts) {
  const whole = toWhole(token);
  const files = [];
  for (const [path, text] of texts) {
    if (!text.includes(token) || !whole.test(text)) continue;
    files.push(path);
    if (files.length > MOST_FILES) break;
  }
  return files;
}

/** At most `count` tokens of each kind, by kind: `{kind, token, beside, files}`. */
export function chooseTokens({ texts, own, tags }, count, seed) {
  const defined = new Set(tags.map((tag) => tag.name));
  const byKind = new Map();
  for (const path of own) {
    for (const token of tokensOf(path, texts.get(path), seed)) {
      const same = byKind.get(token.kind) ?? new Map();
      // All files for the hosting service count as one, so that they do not crowd out the rest.
      const place = path.startsWith(".github/") ? ".github" : path;
      if (!defined.has(token.token)) same.set(token.token, { ...token, path: place });
      byKind.set(token.kind, same);
    }
  }
  const isRare = (token) => {
    token.files = filesWith(token.token, texts);
    return token.files.length <= (token.kind === "word" ? 1 : MOST_FILES) && token.files.length > 0;
  };
  const entries = [...byKind].map(([kind, tokens]) => {
    const shuffled = shuffle([...tokens.values()], `${seed} ${kind}`, ({ token }) => token);
    return [kind, choose(shuffled, count, isRare)];
  });
  return Object.fromEntries(entries.sort());
}
