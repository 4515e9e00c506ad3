/**
 * Why there is no jail, in words: a pure function from what a probe saw to what is missing and how to get it.
 */

export interface ProbeFacts {
  /** As Node names it. */
  readonly platform: string;
  readonly root: boolean;
  /** Was a bwrap found? */
  readonly installed: boolean;
  /** What a jailed `true` left on standard error; undefined when it succeeded. */
  readonly failure?: string;
  /** Runs in a container, as far as can be seen. */
  readonly container: boolean;
  /** Kernel settings as read, where they exist. */
  readonly settings: {
    readonly unprivilegedUsernsClone?: string;
    readonly maxUserNamespaces?: string;
    readonly apparmorRestrictUserns?: string;
  };
}

export interface Diagnosis {
  readonly message: string;
  readonly hint: string;
}

/** Undefined when nothing is wrong. */
export function diagnoseJail(facts: ProbeFacts): Diagnosis | undefined {
  if (facts.platform !== 'linux') return notLinux(facts.platform);
  if (!facts.installed) return notInstalled;
  if (facts.failure === undefined) return undefined;
  return (
    namespaceTrouble(facts) ??
    procTrouble(facts) ?? {
      message: `bubblewrap is installed but could not start a program: ${shown(facts.failure)}`,
      hint: `Run \`bwrap --unshare-all --ro-bind / / --proc /proc true\` and make it succeed${orNone}`,
    }
  );
}

const orNone = ', or ask for the jail `none`: then nothing is contained, and every run says so.';

function notLinux(platform: string): Diagnosis {
  const system = platform === 'darwin' ? 'macOS' : platform === 'win32' ? 'Windows' : platform;
  return {
    message: `there is no jail for ${system} yet: Forge contains programs with bubblewrap, which needs Linux`,
    hint: `Run Forge on Linux (a virtual machine will do)${orNone}`,
  };
}

const notInstalled: Diagnosis = {
  message: 'bubblewrap (bwrap) is not installed',
  hint: `Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap${orNone}`,
};

function namespaceTrouble({ failure = '', settings, root, container }: ProbeFacts): Diagnosis | undefined {
  if (settings.maxUserNamespaces === '0') {
    return {
      message: 'user namespaces are switched off (user.max_user_namespaces is 0)',
      hint: `Run: sudo sysctl -w user.max_user_namespaces=15000${orNone}`,
    };
  }
  if (!root && settings.unprivilegedUsernsClone === '0') {
    return {
      message: 'user namespaces are switched off for normal users (kernel.unprivileged_userns_clone is 0)',
      hint: `Run: sudo sysctl -w kernel.unprivileged_userns_clone=1${orNone}`,
    };
  }
  if (!/namespace|uid map|uid_map|RTM_NEWADDR|loopback|unshare/i.test(failure)) return undefined;
  if (!root && settings.apparmorRestrictUserns === '1') {
    return {
      message:
        'AppArmor keeps normal users from using user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)',
      hint: `Give bwrap an AppArmor profile with the rule \`userns,\` (on Ubuntu 24.04: the package apparmor-profiles, file bwrap-userns-restrict), or run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0${orNone}`,
    };
  }
  if (container) return containerTrouble('does not allow user namespaces', failure);
  return {
    message: `the system does not allow bubblewrap to make namespaces: ${shown(failure)}`,
    hint: `Use a kernel with user namespaces (CONFIG_USER_NS) and allow them for this user${orNone}`,
  };
}

function procTrouble({ failure = '', container }: ProbeFacts): Diagnosis | undefined {
  if (!/mount proc|\/proc|max_user_namespaces/i.test(failure)) return undefined;
  if (container) return containerTrouble('does not allow a /proc of its own', failure);
  return {
    message: `the system does not allow bubblewrap to mount /proc: ${shown(failure)}`,
    hint: `Look for mounts over parts of /proc (findmnt -R /proc) and remove them${orNone}`,
  };
}

function containerTrouble(what: string, failure: string): Diagnosis {
  return {
    message: `this container ${what}: ${shown(failure)}`,
    hint: `Start the container with --privileged, or with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined${orNone}`,
  };
}

function shown(failure: string): string {
  return failure.trim().split('\n').slice(-3).join(' / ').slice(0, 500) || 'it said nothing';
}
