/**
 * Toolchains of other languages at work in the jail, with its seccomp filter. A toolchain that this machine does not
 * have is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProcess } from '../../src/process/spawn.ts';
import { jailOfThisMachine, makeScene } from './scene.ts';

const jail = await jailOfThisMachine();
const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));
/** rustc may be a shim of rustup, which finds its toolchain in the real home. */
const rust =
  spawnSync('rustc', ['--print', 'sysroot'], {
    encoding: 'utf8',
    env: { ...process.env, HOME: userInfo().homedir },
  }).stdout?.trim() || undefined;
const linker = existsSync('/usr/bin/cc');
const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Threads, a pool of processes with locks in shared memory, children, a server with a client, temporary files, unittest. */
const pythonTest = `
import asyncio, concurrent.futures, ctypes, multiprocessing, sqlite3, ssl, subprocess, sys, tempfile, threading, unittest

def square(number):
    return number * number

async def serve_and_ask():
    async def answer(reader, writer):
        writer.write(await reader.readline())
        writer.close()
    server = await asyncio.start_server(answer, '127.0.0.1', 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b'echo\\n')
    return await reader.readline()

class Works(unittest.TestCase):
    def test_threads(self):
        found = []
        threads = [threading.Thread(target=found.append, args=(n,)) for n in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        self.assertEqual(sorted(found), list(range(8)))

    def test_processes(self):
        for method in ('fork', 'spawn', 'forkserver'):
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(square, [1, 2, 3]), [1, 4, 9])

    def test_children(self):
        self.assertEqual(subprocess.check_output([sys.executable, '-c', 'print(6 * 7)']), b'42\\n')

    def test_server(self):
        self.assertEqual(asyncio.run(serve_and_ask()), b'echo\\n')

    def test_native(self):
        self.assertGreater(ctypes.CDLL(None).getpid(), 0)
        with tempfile.NamedTemporaryFile() as file:
            sqlite3.connect(file.name).execute('create table t (a)')
        ssl.create_default_context()

if __name__ == '__main__':
    unittest.main()
`;

const rustTest = `
pub fn sum(numbers: &[i32]) -> i32 {
    numbers.iter().sum()
}

/// A test in the documentation is a program of its own.
/// \`\`\`
/// assert_eq!(sample::sum(&[1, 2]), 3);
/// \`\`\`
pub fn documented() {}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    #[test]
    fn threads() {
        let all: Vec<_> = (0..8).map(|n| std::thread::spawn(move || super::sum(&[n, 1]))).collect();
        assert_eq!(all.into_iter().map(|t| t.join().unwrap()).sum::<i32>(), 36);
    }

    #[test]
    fn children() {
        assert!(std::process::Command::new("git").arg("--version").status().unwrap().success());
    }

    #[test]
    fn sockets() {
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = std::net::TcpStream::connect(server.local_addr().unwrap()).unwrap();
        client.write_all(b"x").unwrap();
        let mut byte = [0];
        server.accept().unwrap().0.read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"x");
    }
}
`;

describe.skipIf(jail === undefined)('a contained program', () => {
  test.skipIf(python === undefined)('in Python starts threads, processes, children and servers', async () => {
    if (jail === undefined || python === undefined) return;
    const { workspace, policy } = makeScene();
    writeFileSync(join(workspace, 'test_works.py'), pythonTest);
    const command = { program: python, args: ['test_works.py'], cwd: workspace, env };
    const { end, stderr } = await runProcess(jail.wrap(command, policy));
    expect({ end, said: stderr.text }).toEqual({
      end: { status: 'exited', code: 0 },
      said: expect.stringMatching(/Ran 5 tests[^]*\nOK\n$/),
    });
  });

  test.skipIf(rust === undefined || !linker)('in Rust is built and tested by Cargo', async () => {
    if (jail === undefined || rust === undefined) return;
    const { workspace, policy } = makeScene();
    mkdirSync(join(workspace, 'src'));
    writeFileSync(join(workspace, 'Cargo.toml'), '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n');
    writeFileSync(join(workspace, 'build.rs'), 'fn main() { println!("cargo:rerun-if-changed=build.rs"); }\n');
    writeFileSync(join(workspace, 'src/lib.rs'), rustTest);
    const bin = join(rust, 'bin');
    const command = {
      program: join(bin, 'cargo'),
      args: ['test', '--offline'],
      cwd: workspace,
      env: { PATH: `${bin}:${env.PATH}` },
    };
    const { end, stdout, stderr } = await runProcess(jail.wrap(command, { ...policy, readable: [rust] }));
    expect({ end, said: end.status === 'exited' && end.code === 0 ? stdout.text : stderr.text }).toEqual({
      end: { status: 'exited', code: 0 },
      said: expect.stringMatching(/3 passed; 0 failed[^]*1 passed; 0 failed/),
    });
  });
});
