/**
 * The agent's end of the bridge: an MCP server on standard input and output that only carries bytes to Forge's socket
 * and back. It runs in the jail, started by the agent, and holds nothing but the job's own token. Imports nothing but
 * Node, so that it starts quickly and the jail has to show one file only.
 */
import { connect } from 'node:net';

const { FORGE_BRIDGE_SOCKET: socket = '', FORGE_BRIDGE_TOKEN: token = '' } = process.env;
const forge = connect(socket);
forge.on('error', (error) => {
  process.stderr.write(`forge bridge: ${error.message}\n`);
  process.exitCode = 1;
});
forge.on('close', () => process.exit());
forge.write(`${token}\n`);
process.stdin.pipe(forge);
forge.pipe(process.stdout);
process.stdout.on('error', () => process.exit());
