/**
 * The filter of system calls that every contained program runs under, as the bytes that `bwrap --seccomp` takes. It
 * refuses what no build, test or agent needs and what has opened sandboxes before: keyrings, kernel modules, bpf,
 * namespaces and mounts, io_uring, exotic sockets, pushing input into terminals, other call interfaces. Everything else
 * is allowed: the namespaces around the program contain it, and the filter keeps it away from parts of the kernel.
 *
 * A call that is refused fails with an error a program can handle; a program for another interface (32 bits) is killed.
 * Only the low 32 bits of arguments are compared, because the kernel ignores the others for these calls. Pure.
 */
import { type CallName, type CallTable, callTables } from './seccomp-calls.ts';

/** Undefined for an architecture whose system calls are not known here. */
export function seccompFilter(arch: string): Uint8Array | undefined {
  const table = callTables[arch];
  return table === undefined ? undefined : encode(program(table));
}

interface Instruction {
  readonly code: number;
  readonly k: number;
  /** How many instructions are skipped when a test holds, and when it does not. */
  readonly yes?: number;
  readonly no?: number;
}

const errors = { EPERM: 1, ENOSYS: 38, EPROTONOSUPPORT: 93, EAFNOSUPPORT: 97 } as const;
type ErrorName = keyof typeof errors;

const load = (offset: number): Instruction => ({ code: 0x20, k: offset });
const isEqual = (k: number, yes: number, no: number): Instruction => ({ code: 0x15, k, yes, no });
const isAtLeast = (k: number, yes: number, no: number): Instruction => ({ code: 0x35, k, yes, no });
const hasAny = (k: number, yes: number, no: number): Instruction => ({ code: 0x45, k, yes, no });
const allow: Instruction = { code: 0x06, k: 0x7fff0000 };
const kill: Instruction = { code: 0x06, k: 0x80000000 };
const fail = (error: ErrorName): Instruction => ({ code: 0x06, k: 0x00050000 | errors[error] });

/** Where the kernel puts what it knows about a call: number, interface, low halves of the arguments. */
const callNumber = 0;
const callInterface = 4;
const argument = (index: number): number => 16 + 8 * index;

/** CLONE_NEW*: mount, cgroup, uts, ipc, user, pid, net; `unshare` takes the time namespace as well. */
const newNamespaces = 0x7e020000;
const newTimeNamespace = 0x80;

const refused: readonly CallName[] = [
  'acct',
  'add_key',
  'bpf',
  'chroot',
  'clock_settime',
  'create_module',
  'delete_module',
  'fanotify_init',
  'finit_module',
  'fsconfig',
  'fsmount',
  'fsopen',
  'fspick',
  'get_kernel_syms',
  'init_module',
  'ioperm',
  'iopl',
  'kexec_file_load',
  'kexec_load',
  'keyctl',
  'lookup_dcookie',
  'modify_ldt',
  'mount',
  'mount_setattr',
  'move_mount',
  'nfsservctl',
  'open_by_handle_at',
  'open_tree',
  'open_tree_attr',
  'perf_event_open',
  'pivot_root',
  'query_module',
  'quotactl',
  'quotactl_fd',
  'reboot',
  'request_key',
  'setdomainname',
  'sethostname',
  'setns',
  'settimeofday',
  'swapoff',
  'swapon',
  '_sysctl',
  'sysfs',
  'syslog',
  'umount2',
  'uselib',
  'userfaultfd',
  'ustat',
  'vserver',
];

/** The C library and runtimes try these and do without where the kernel does not have them. */
const unknown: readonly CallName[] = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'];

function program(table: CallTable): readonly Instruction[] {
  const when = (name: CallName, block: readonly Instruction[]): readonly Instruction[] => {
    const number = table.numbers[name];
    return number === undefined ? [] : [isEqual(number, 0, block.length), ...block];
  };
  return [
    load(callInterface),
    isEqual(table.audit, 1, 0),
    kill,
    load(callNumber),
    ...(table.x32From === undefined ? [] : [isAtLeast(table.x32From, 0, 1), fail('ENOSYS')]),
    ...refused.flatMap((name) => when(name, [fail('EPERM')])),
    ...unknown.flatMap((name) => when(name, [fail('ENOSYS')])),
    ...when('clone', [load(argument(0)), hasAny(newNamespaces, 0, 1), fail('EPERM'), allow]),
    ...when('unshare', [load(argument(0)), hasAny(newNamespaces | newTimeNamespace, 0, 1), fail('EPERM'), allow]),
    ...when('socket', socketRule()),
    ...when('socketpair', [...only(0, [families.unix]), fail('EAFNOSUPPORT')]),
    ...when('ioctl', [load(argument(1)), ...terminalTricks.flatMap((k) => [isEqual(k, 0, 1), fail('EPERM')]), allow]),
    ...when('personality', [...only(0, personalities), fail('EPERM')]),
    allow,
  ];
}

const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
/** The default, ICMP (ping), TCP, UDP, ICMPv6, multipath TCP. */
const internetProtocols = [0, 1, 6, 17, 58, 262];
/** TIOCSTI, TIOCLINUX and TIOCSETD: typing into a terminal, its selection, another driver behind it. */
const terminalTricks = [0x5412, 0x541c, 0x5423];
/** The usual one, 32 bits in `uname`, the old version number, addresses that are not random, and asking which it is. */
const personalities = [0, 8, 0x20000, 0x20008, 0x40000, 0x40008, 0xffffffff];

/** Local sockets, the internet by its usual protocols, and asking the kernel about interfaces and routes. */
function socketRule(): readonly Instruction[] {
  const internet = [...only(2, internetProtocols), fail('EPROTONOSUPPORT')];
  const netlink = [...only(2, [0]), fail('EPROTONOSUPPORT')];
  return [
    load(argument(0)),
    isEqual(families.unix, 0, 1),
    allow,
    isEqual(families.netlink, 0, netlink.length),
    ...netlink,
    isEqual(families.inet, 1, 0),
    isEqual(families.inet6, 0, internet.length),
    ...internet,
    fail('EAFNOSUPPORT'),
  ];
}

/** Allows the call when an argument is one of these; otherwise goes on. */
function only(index: number, values: readonly number[]): readonly Instruction[] {
  return [load(argument(index)), ...values.flatMap((value) => [isEqual(value, 0, 1), allow])];
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(8 * instructions.length);
  for (const [index, { code, k, yes = 0, no = 0 }] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(yes, 8 * index + 2);
    bytes.writeUInt8(no, 8 * index + 3);
    bytes.writeUInt32LE(k >>> 0, 8 * index + 4);
  }
  return bytes;
}
