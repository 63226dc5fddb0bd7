/**
 * File systems whose files can change without notification of this machine, so that watching would miss changes. The
 * numbers are those of Linux; other systems number their file systems differently, and none of their numbers is among
 * these.
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
  /** Windows drives in WSL 2. */
  "9p": 0x01021997,
  /** Shared folders of VirtualBox and VMware. */
  vboxsf: 0x786f4256,
  vmhgfs: 0xbacbacbc,
};

const NUMBERS: ReadonlySet<number> = new Set(Object.values(REMOTE_SYSTEMS));

/** True for a file system type, as returned by `statfs`, that cannot be watched. */
export function isRemoteSystem(type: number): boolean {
  return NUMBERS.has(type);
}
