/** `concord mcp`: the scopes of a tenant as tools for an assistant. */
import type { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { connect } from './connecting.ts'
import type { Environment } from './environment.ts'
import type { ProfileOptions } from './profile.ts'

interface McpOptions extends ProfileOptions {
  readonly allowWrites?: true
}

export function addMcpCommand(program: Command, environment: Environment): void {
  program
    .command('mcp')
    .description(
      'offer the scopes of a tenant to an assistant, by the Model Context Protocol on standard input and output',
    )
    .option('--profile <name>', 'another profile than the default')
    .option('--allow-writes', 'also offer tools that send documents and decide contradictions')
    .action(async (options: McpOptions) => {
      const { concord } = await connect(options, environment)
      // Loaded only here: no other command needs it.
      const { serveTools } = await import('@concord/mcp')
      serveTools({ concord, allowWrites: options.allowWrites ?? false, version: manifest.version, onError })
    })
}

/** Standard output belongs to the protocol. */
function onError({ message }: Error): void {
  process.stderr.write(`${message}\n`)
}
