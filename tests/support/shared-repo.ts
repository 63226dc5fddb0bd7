import { succeed } from "../../src/contract/faults.ts";
import { readShared, shareIndex } from "../../src/team/share-index.ts";
import { git } from "./git-repo.ts";
import { makeTeam, READS } from "./team.ts";
import { mustHave } from "./team-server.ts";

const signal = new AbortController().signal;

/** Makes a repository that publishes its index to a team's server in addition to its base. */
export function makeSharedRepo(
  url: string,
  repo: string,
  files: Readonly<Record<string, string>>,
  token: string,
  { asOldClient = false } = {},
) {
  /** Number of files sent by each publish. */
  const sent: number[] = [];
  const place = { url, token };
  const team = makeTeam(files, async (index, tree) => {
    const known = await readShared(place, repo, signal);
    if (known === null) throw new Error("not a team's server");
    // An old client does not know graphs and ignores them.
    const { graph, ...rest } = known;
    const there = asOldClient || graph === undefined ? rest : { ...rest, graph };
    const id = git(team.root, ["rev-parse", "HEAD"]);
    const work = { index, tree, commit: id, reads: READS, server: place, repo, there, nowMs: Date.now(), signal };
    sent.push(mustHave(await shareIndex({ ...work, say: () => {} })));
    return succeed(undefined);
  });
  return { ...team, sent };
}
