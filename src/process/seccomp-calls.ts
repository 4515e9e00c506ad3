/**
 * Numbers of the system calls that a contained program may not make, by architecture. Data only. Linux gives arm64,
 * riscv64 and loong64 one table; calls from 424 on have one number everywhere.
 */

/** How `process.arch` names an architecture → what the kernel calls it in a filter, and its table. */
export interface CallTable {
  /** AUDIT_ARCH_*: calls made through another interface of the same processor have another value. */
  readonly audit: number;
  /** Numbers from here on belong to the x32 interface. */
  readonly x32From?: number;
  readonly numbers: Readonly<Partial<Record<CallName, number>>>;
}

const everywhere = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
} as const;

const x64 = {
  ...everywhere,
  ioctl: 16,
  socket: 41,
  socketpair: 53,
  clone: 56,
  syslog: 103,
  uselib: 134,
  personality: 135,
  ustat: 136,
  sysfs: 139,
  modify_ldt: 154,
  pivot_root: 155,
  _sysctl: 156,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  create_module: 174,
  init_module: 175,
  delete_module: 176,
  get_kernel_syms: 177,
  query_module: 178,
  quotactl: 179,
  nfsservctl: 180,
  lookup_dcookie: 212,
  clock_settime: 227,
  vserver: 236,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  unshare: 272,
  perf_event_open: 298,
  fanotify_init: 300,
  open_by_handle_at: 304,
  setns: 308,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
} as const;

export type CallName = keyof typeof x64;

const generic: CallTable['numbers'] = {
  ...everywhere,
  lookup_dcookie: 18,
  ioctl: 29,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  nfsservctl: 42,
  chroot: 51,
  quotactl: 60,
  acct: 89,
  personality: 92,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  clock_settime: 112,
  syslog: 116,
  reboot: 142,
  sethostname: 161,
  setdomainname: 162,
  settimeofday: 170,
  socket: 198,
  socketpair: 199,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  swapon: 224,
  swapoff: 225,
  perf_event_open: 241,
  fanotify_init: 262,
  open_by_handle_at: 265,
  setns: 268,
  finit_module: 273,
  bpf: 280,
  userfaultfd: 282,
  kexec_file_load: 294,
};

export const callTables: Readonly<Record<string, CallTable>> = {
  x64: { audit: 0xc000003e, x32From: 0x40000000, numbers: x64 },
  arm64: { audit: 0xc00000b7, numbers: generic },
  riscv64: { audit: 0xc00000f3, numbers: generic },
  loong64: { audit: 0xc0000102, numbers: generic },
};
