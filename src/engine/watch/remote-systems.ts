/**
 * File systems whose files can change without this machine's knowing: nobody is told there, and watching would miss it. The
 * numbers are those of Linux; other systems count their file systems in other ways, and none of theirs is among these.
 */
const REMOTE_SYSTEMS: Readonly<Record<string, number>> = {
  nfs: 0x6969,
  smb: 0x517b,
  cifs: 0xff534d42,
  smb2: 0xfe534d42,
  afs: 0x5346414f,
  coda: 0x73757245,
  ceph: 0x00c36400,
  /** sshfs and others; also virtiofs, which shares folders with virtual machines. */
  fuse: 0x65735546,
  /** The drives of Windows in WSL 2. */
  "9p": 0x01021997,
  /** Shared folders of VirtualBox and VMware. */
  vboxsf: 0x786f4256,
  vmhgfs: 0xbacbacbc,
};

const NUMBERS: ReadonlySet<number> = new Set(Object.values(REMOTE_SYSTEMS));

/** True for the type of a file system, as `statfs` tells it, that cannot be watched. */
export function isRemoteSystem(type: number): boolean {
  return NUMBERS.has(type);
}
