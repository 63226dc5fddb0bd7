import { DURATION_FORM } from "../../../base/duration.ts";
import { TEAM_SANDBOXES } from "../../../contract/team-jobs.ts";
import { type Command, JSON_OPTION } from "./command.ts";

const DATABASE = {
  value: "URL",
  doc: "postgresql://USER:PASSWORD@HOST:PORT/NAME (default: GROUNDWORK_TEAM_DATABASE, which other users of the machine cannot see)",
} as const;

/** Commands for administrators of a team's server. */
export const TEAM = [
  {
    name: "serve",
    group: "team",
    summary: "run a team's server over PostgreSQL",
    usage: ["--database URL [--listen HOST:PORT] [options]"],
    about:
      "It is stateless, so that several can serve one database. It needs `npm run team:install` once and PostgreSQL 15 or newer, and migrates the database's schema by itself. /healthz, /readyz and /metrics are for monitoring. The first line of standard output is the address it listens on; its log, in JSON, goes to standard error. See docs/team.md.",
    options: {
      database: DATABASE,
      listen: {
        value: "HOST:PORT",
        doc: "address to listen on (default: 127.0.0.1:7418); a non-loopback address needs TLS or --behind-proxy",
      },
      url: { value: "URL", doc: "the address that clients use, if it differs; requests to any other are refused then" },
      "tls-cert": { value: "FILE", completes: "file", doc: "certificate, in PEM" },
      "tls-key": { value: "FILE", completes: "file", doc: "key of the certificate, in PEM" },
      "behind-proxy": { doc: "a proxy in front of it has the certificate" },
    },
    examples: [
      { line: "groundwork serve", about: "on this machine, with the database of GROUNDWORK_TEAM_DATABASE" },
      {
        line: "groundwork serve --listen 0.0.0.0:7418 --behind-proxy",
        about: "for a proxy that has the certificate",
      },
    ],
    exits: { 0: "stopped", 2: "wrong command line, or the database cannot be used" },
  },
  {
    name: "team",
    group: "team",
    summary: "manage a team's server: tokens, purging, workers",
    usage: [
      "token create --name N [--read a,b] [--publish a,b] [options]",
      "token list [--json] [--database URL]",
      "token revoke ID|NAME [--database URL]",
      "purge NAME|--job ID [--yes] [--database URL]",
      "worker --repos PREFIXES [--max N] [options]",
    ],
    about:
      "A token is shown once, when it is created; the database stores only its hash. A revoked token is refused from the next request on. Purging removes a repository or a Codex job and everything stored for it, also from the database's files; tokens that name it stay. A worker takes Codex jobs from the server at GROUNDWORK_TEAM_URL with the token in GROUNDWORK_TEAM_TOKEN, clones, runs them and hands in their results, until it is stopped. See docs/team.md.",
    options: {
      database: DATABASE,
      name: {
        value: "N",
        doc: "create: who or what the token is for; worker: its name (default: this machine's name)",
      },
      read: {
        value: "NAMES",
        doc: "create: repositories that the token may read, by their names on the server; * for all",
      },
      publish: { value: "NAMES", doc: "create: repositories whose bases the token may publish; * for all" },
      submit: { doc: "create: the token may submit Codex jobs" },
      worker: { doc: "create: the token may take Codex jobs from the queue" },
      expires: {
        value: "D",
        doc: `create: how long it is valid, such as ${DURATION_FORM} (default: until it is revoked)`,
      },
      repos: {
        value: "PREFIXES",
        doc: "worker: prefixes of repository URLs, such as https://git.example/team/; no other job is taken",
      },
      max: { value: "N", doc: "worker: maximum number of jobs at once (default 1)" },
      "max-sandbox": {
        value: "MODE",
        values: TEAM_SANDBOXES,
        doc: "worker: the most that a job may request: read-only or workspace-write (default)",
      },
      network: { doc: "worker: jobs may request the network" },
      push: {
        doc: "worker: also push results that the server has accepted to the repository, as branch codex/JOB/N",
      },
      job: { value: "ID", doc: "purge: this Codex job, with its task, log and result" },
      yes: { doc: "purge: do not ask for confirmation" },
      json: JSON_OPTION,
    },
    words: ["token", "purge", "worker"],
    examples: [
      {
        line: "groundwork team token create --name ci --publish shop",
        about: "a token that may publish the bases of shop",
      },
      {
        line: "groundwork team token create --name li --read shop,web --expires 90d",
        about: "a token that may read two repositories",
      },
      {
        line: "groundwork team worker --repos https://git.example/team/ --max 2",
        about: "a worker for the team's Codex jobs",
      },
    ],
    exits: {
      1: "purge: you were asked and said no",
      2: "wrong command line, or the database cannot be used",
      40: "the database does not answer",
    },
  },
] as const satisfies readonly Command[];
