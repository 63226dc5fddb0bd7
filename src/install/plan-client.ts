import { dirname, resolve } from "node:path";
import { CLIENT_IDS, type ClientId } from "../contract/clients.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { ClientFiles } from "./clients/client-install.ts";
import { filesIn, locateFiles, locateFolder } from "./clients/find-clients.ts";
import { findMissingFolders, readFileState } from "./file-state.ts";
import { doorOf } from "./launcher.ts";
import { planEntry, planEntryRemoval } from "./plan-entry.ts";
import { planOwnFile, planOwnFileRemoval } from "./plan-own-file.ts";
import { type InstallPlan, joinPlans, NOTHING, type PlanPart } from "./plan-part.ts";
import { putRecord, type Receipt, type ReceiptFile } from "./receipt.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { findTempFiles } from "./temp-files.ts";

/** Plans the installation for one client. Contract: a refusal is a fault, and then nothing is planned for it. */
export function planClient(
  client: ClientId,
  request: InstallRequest,
  places: InstallPlaces,
  old: Receipt,
): Outcome<PlanPart<Receipt>> {
  const { nowMs } = places;
  const home = resolve(places.home);
  const program = { root: resolve(places.projectRoot), node: places.node };
  const files = locateFiles(client, home, places.env, request);
  const plans: InstallPlan[] = [];
  let receipt = old;
  let displacesForeign = false;
  // Files before the entries that call them: an entry that names a missing file would cause an error at every prompt.
  for (const file of files.own) {
    const previous = old.files.find(({ path }) => path === file.path) ?? null;
    const part = planOwnFile({ client, file, program, previous, nowMs });
    if (!part.ok) return part;
    displacesForeign ||= part.value.record.displaced !== null;
    receipt = { ...receipt, files: putRecord(receipt.files, part.value.record) };
    plans.push(part.value);
  }
  for (const file of files.entries) {
    const previous = old.entries.find(({ path }) => path === file.path) ?? null;
    const part = planEntry({ client, file, nowMs, previous }, { displacesForeign });
    if (!part.ok) return part;
    const { record } = part.value;
    if (record !== null) receipt = { ...receipt, entries: putRecord(receipt.entries, record) };
    plans.push(part.value);
  }
  const paths = [...files.own, ...files.entries].map(({ path }) => path);
  const folders = [...new Set([...receipt.folders, ...paths.flatMap(findMissingFolders)])];
  const { program: door } = doorOf(client, program.root);
  const isThere = readFileState(door).kind === "file";
  const notes = isThere ? [] : [`${door} is missing; until it is there the hook adds nothing`];
  return succeed({ ...planFor(client, [...plans, { ...NOTHING, notes }]), record: { ...receipt, folders } });
}

function planFor(client: ClientId, plans: readonly InstallPlan[]): InstallPlan {
  const { items, ...rest } = joinPlans(plans);
  return { ...rest, items: items.map((item) => ({ ...item, client })) };
}

/** Plans the removal of a client's files in all its folders, old ones from the receipt. Contract: as `planClient`. */
export function planClientRemoval(client: ClientId, places: InstallPlaces, old: ReceiptFile): Outcome<InstallPlan> {
  const plans: InstallPlan[] = [];
  for (const files of foldersOf(client, places, old.receipt)) {
    // The launcher first: whether it is ours decides what happens to the entry.
    const own = files.own.map((file) => planOwnFileRemoval(file, old));
    const [launcher] = own;
    if (launcher === undefined) continue;
    for (const file of files.entries) {
      const previous = old.receipt.entries.find(({ path }) => path === file.path) ?? null;
      const part = planEntryRemoval({ client, file, nowMs: places.nowMs, previous }, launcher);
      if (!part.ok) return part;
      plans.push(part.value);
    }
    // Remove the entry before the file that it names.
    plans.push(...own.toReversed(), planLeftovers([...files.own, ...files.entries].map(({ path }) => path)));
  }
  return succeed(planFor(client, plans));
}

/** Temporary files that an interrupted run left beside a file; for a symlink also beside its target. */
function planLeftovers(paths: readonly string[]): InstallPlan {
  const targets = paths.flatMap((path) => {
    const file = readFileState(path);
    return file.kind === "file" && file.isLink ? [path, file.target] : [path];
  });
  return { ...NOTHING, steps: targets.flatMap(findTempFiles).map((path) => ({ kind: "remove", path })) };
}

/** Returns the receipt without the records of the given clients. */
export function forgetClients(receipt: Receipt, clients: readonly ClientId[]): Receipt {
  const isKept = ({ client }: { readonly client: ClientId }) => !clients.includes(client);
  return { ...receipt, files: receipt.files.filter(isKept), entries: receipt.entries.filter(isKept) };
}

/** Clients that have a record in the receipt. */
export function clientsOf({ files, entries }: Receipt): readonly ClientId[] {
  return CLIENT_IDS.filter((id) => [...files, ...entries].some(({ client }) => client === id));
}

/** The client's current folder, and those of earlier installations. */
function foldersOf(client: ClientId, { home, env }: InstallPlaces, receipt: Receipt): ClientFiles[] {
  const at = resolve(home);
  const own = receipt.files.filter((file) => file.client === client).map(({ path }) => dirname(dirname(path)));
  const entries = receipt.entries.filter((entry) => entry.client === client).map(({ path }) => dirname(path));
  const folders = new Set([locateFolder(client, at, env), ...own, ...entries]);
  return [...folders].map((folder) => filesIn(folder, client, at));
}
