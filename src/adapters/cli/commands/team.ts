import { DURATION_FORM } from "../../../base/duration.ts";
import { TEAM_SANDBOXES } from "../../../contract/team-jobs.ts";
import { type Command, JSON_OPTION } from "./command.ts";

const DATABASE = {
  value: "URL",
  doc: "postgresql://USER:PASSWORD@HOST:PORT/NAME (default: GROUNDWORK_TEAM_DATABASE, which other users of the machine do not see)",
} as const;

/** Commands of whoever looks after a team's server. */
export const TEAM = [
  {
    name: "serve",
    group: "team",
    summary: "a team's server over PostgreSQL, until it is stopped",
    usage: ["--database URL [--listen HOST:PORT] [options]"],
    about:
      "It keeps nothing of its own, so that several may serve one database. It needs `npm run team:install` once and PostgreSQL 15 or newer, and brings the database's schema up to date by itself. /healthz, /readyz and /metrics are for whoever watches over it. The first line of standard output says where it listens; its log, in JSON, goes to standard error. See docs/team.md.",
    options: {
      database: DATABASE,
      listen: {
        value: "HOST:PORT",
        doc: "where (default: 127.0.0.1:7418); elsewhere than on this machine only with TLS or behind a proxy",
      },
      url: { value: "URL", doc: "the address that clients use, where it is another one; no other is answered then" },
      "tls-cert": { value: "FILE", completes: "file", doc: "certificate, in PEM" },
      "tls-key": { value: "FILE", completes: "file", doc: "its key, in PEM" },
      "behind-proxy": { doc: "a proxy before it has the certificate" },
    },
    examples: [
      { line: "groundwork serve", about: "on this machine, over the database of GROUNDWORK_TEAM_DATABASE" },
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
    summary: "a team's server: its tokens, what is to go, its workers",
    usage: [
      "token create --name N [--read a,b] [--publish a,b] [options]",
      "token list [--json] [--database URL]",
      "token revoke ID|NAME [--database URL]",
      "purge NAME|--job ID [--yes] [--database URL]",
      "worker --repos PREFIXES [--max N] [options]",
    ],
    about:
      "A token is shown once, when it is made; the database has its hash alone. Revoking counts from the next request on. Purging removes a repository or a Codex job and everything that is stored for it, from the database's files as well; tokens that name it stay. A worker takes Codex jobs from the server of GROUNDWORK_TEAM_URL with the token in GROUNDWORK_TEAM_TOKEN, clones, runs them and hands in what came of them, until it is stopped. See docs/team.md.",
    options: {
      database: DATABASE,
      name: {
        value: "N",
        doc: "create: who or what it is for; worker: what it is called (default: this machine's name)",
      },
      read: { value: "NAMES", doc: "create: repositories that it may read, by their names on the server; * for all" },
      publish: { value: "NAMES", doc: "create: repositories whose bases it may publish; * for all" },
      submit: { doc: "create: it may put Codex jobs in the queue" },
      worker: { doc: "create: it may take Codex jobs from the queue" },
      expires: {
        value: "D",
        doc: `create: how long it is valid, such as ${DURATION_FORM} (default: until it is revoked)`,
      },
      repos: {
        value: "PREFIXES",
        doc: "worker: how addresses of repositories must begin, such as https://git.example/team/; no other job is taken",
      },
      max: { value: "N", doc: "worker: most jobs at once (default 1)" },
      "max-sandbox": {
        value: "MODE",
        values: TEAM_SANDBOXES,
        doc: "worker: most that a job may ask for: read-only or workspace-write (default)",
      },
      network: { doc: "worker: jobs may ask for the network" },
      push: {
        doc: "worker: results that the server has accepted are also pushed to the repository, as branch codex/JOB/N",
      },
      job: { value: "ID", doc: "purge: this Codex job, with its task, log and result" },
      yes: { doc: "purge: without asking" },
      json: JSON_OPTION,
    },
    words: ["token", "purge", "worker"],
    examples: [
      { line: "groundwork team token create --name ci --publish shop", about: "may publish the bases of shop" },
      { line: "groundwork team token create --name li --read shop,web --expires 90d", about: "may read two" },
      { line: "groundwork team worker --repos https://git.example/team/ --max 2", about: "does the team's Codex jobs" },
    ],
    exits: {
      1: "purge: asked, and somebody said no",
      2: "wrong command line, or the database cannot be used",
      40: "the database does not answer",
    },
  },
] as const satisfies readonly Command[];
