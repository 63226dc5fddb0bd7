import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { isRemoteSystem } from "./remote-systems.ts";

it.each([
  ["a drive of Windows in WSL 2 (9p)", 0x01021997, true],
  ["a drive of Windows in WSL 2 (virtiofs, a kind of FUSE)", 0x65735546, true],
  ["a network drive (cifs)", 0xff534d42, true],
  ["a network drive (nfs)", 0x6969, true],
  ["a shared folder of VirtualBox", 0x786f4256, true],
  ["the disk of WSL 2 itself (ext4)", 0xef53, false],
  ["the disk of WSL 1", 0x53464846, false],
  ["btrfs", 0x9123683e, false],
  ["memory (tmpfs)", 0x01021994, false],
  ["layers of a container (overlayfs)", 0x794c7630, false],
  ["the temporary folder", statfsSync(tmpdir()).type, false],
])("[P-8] whether watching is off: %s", (_name, type, expected) => {
  expect(isRemoteSystem(type)).toBe(expected);
});
