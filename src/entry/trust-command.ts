import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { describeTrust, explainTrustPlan, printTrustList, printTrustPlan, toLine } from "../adapters/cli/trust.ts";
import { systemClock } from "../base/clock.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { findHome, TRUST_FILE } from "../config/places.ts";
import { damageFor, judgeTrust } from "../config/trust.ts";
import { readTrustBook } from "../config/trust-book.ts";
import { isWorthTrusting, planTrust, type TrustPlan } from "../config/trust-plan.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { recordTrust, removeTrust } from "../install/record-trust.ts";
import { makeRegistry } from "../tools/registry.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { canAsk, confirm, namedFolder, writeAll } from "./process.ts";

/** `groundwork trust`: shows what trusting a repository would change, asks for confirmation, and records it. */
export async function trustRepository(words: readonly string[], options: OptionsOf<"trust">): Promise<Printed> {
  if (words.length > 1) return misuse("trust takes one folder", "trust");
  const home = toHome();
  if (!home.ok) return failed(home.fault);
  if (options.list === true) return listTrusted(home.value, options);
  const folder = toRealFolder(namedFolder(words[0] ?? options.repo));
  if (folder === null) return misuse(`${words[0] ?? "the current folder"} is not a folder`, "trust");
  const plan = await planTrust(home.value, folder, makeRegistry(makeFileEngine(systemClock)));
  if (!plan.ok) return failed(plan.fault);
  return decide(home.value, plan.value, options);
}

/** `groundwork untrust`: removes a repository from the trust record, even if the repository no longer exists. */
export async function untrustRepository(words: readonly string[], options: OptionsOf<"trust">): Promise<Printed> {
  if (words.length > 1) return misuse("untrust takes one folder", "untrust");
  const home = toHome();
  if (!home.ok) return failed(home.fault);
  const named = namedFolder(words[0] ?? options.repo);
  const folder = toRealFolder(named);
  const root = folder === null ? named : findRepoRoot(folder).root;
  const removed = removeTrust(home.value, root);
  if (!removed.ok) return failed(removed.fault);
  if (options.json === true) return printedJson({ root, removed: removed.value });
  const text = removed.value ? "is no longer trusted; it only narrows" : "was not trusted";
  return { text: `${toLine(root)} ${text}.\n`, exitCode: 0 };
}

/** Decides what to do with a plan, in most cases by asking the user. */
async function decide(home: string, plan: TrustPlan, options: OptionsOf<"trust">): Promise<Printed> {
  const answer = (text: string, recorded = false, exitCode = 0): Printed =>
    options.json === true ? printedJson({ ...explainTrustPlan(plan), recorded }, exitCode) : { text, exitCode };
  if (plan.files.length === 0)
    return answer("Nothing to trust: the repository has neither config/auto-tools.yaml nor hook files.\n");
  if (!isWorthTrusting(plan)) return dropStale(home, plan, answer);
  if (plan.trust.kind === "trusted") return answer(`Already ${describeTrust(plan.trust)}; nothing to do.\n`);
  const damage = damageFor(readTrustBook(home), plan.root);
  if (damage !== null && !(damage.isMovable && options.yes === true))
    return failed({ code: "E_CONFIG", message: `nothing was trusted: ${damage.why}`, hint: damage.hint });
  const shown = printTrustPlan(plan);
  if (options.yes !== true) {
    if (!canAsk()) {
      const { exitCode } = misuse("there is no terminal to ask on; read this, then run it with --yes", "trust");
      return answer(shown, false, exitCode);
    }
    writeAll(2, `${shown}\n`);
    if (!(await confirm("Trust these files?"))) return answer("Nothing was trusted.\n", false, 1);
  }
  // Records the hashes that were shown, not those of the files as they are now.
  const done = recordTrust({
    home,
    root: plan.root,
    files: plan.files,
    nowMs: systemClock.nowMs(),
    replaceDamaged: options.yes === true,
  });
  if (!done.ok) return failed(done.fault);
  if (done.value.movedTo !== null) writeAll(2, `groundwork: the damaged record is now ${done.value.movedTo}\n`);
  return answer(`${options.yes === true ? `${shown}\n` : ""}Trusted. Undo it with "groundwork untrust".\n`, true);
}

/** Files that would widen nothing need no record, and an older record for them would only cause warnings. */
function dropStale(home: string, plan: TrustPlan, answer: (text: string) => Printed): Printed {
  const nothing = `Nothing would change: the settings only narrow, which needs no trust.`;
  if (plan.trust.kind !== "changed" && plan.trust.kind !== "trusted")
    return answer(`${nothing} Nothing was recorded.\n`);
  const removed = removeTrust(home, plan.root);
  return removed.ok ? answer(`${nothing} What you trusted before was taken out.\n`) : failed(removed.fault);
}

function listTrusted(home: string, options: OptionsOf<"trust">): Printed {
  const { repositories, damage, exists } = readTrustBook(home);
  if (damage !== null && exists)
    return failed({ code: "E_CONFIG", message: `nothing is trusted: ${damage.why}`, hint: damage.hint });
  const listed = repositories.map((repository) => {
    const isThere = toRealFolder(repository.root) === repository.root;
    const trust = judgeTrust(home, repository.root);
    return { repository, state: isThere ? describeTrust(trust) : "no longer there" };
  });
  if (options.json === true)
    return printedJson({
      version: 1,
      repositories: listed.map(({ repository, state }) => ({ ...repository, state })),
    });
  return { text: printTrustList(listed), exitCode: 0 };
}

/**
 * The home folder that contains the trust record. A relative path is refused, because it would be inside the
 * repository.
 */
function toHome(): Outcome<string> {
  const home = findHome(process.env);
  if (home !== null) return succeed(home);
  return fail("E_CONFIG", `HOME names no folder, so there is no ~/${TRUST_FILE}`, "set HOME to your home folder");
}
