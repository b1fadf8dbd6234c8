/** `concord mcp`: the scopes of a tenant as tools for an assistant. */
import type { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { connect } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { launcherPath } from './launcher.ts'
import { printJson } from '../terminal/output.ts'
import { PROFILE, profileName, readProfile } from './profile.ts'
import type { ProfileOptions } from './profile.ts'

interface McpOptions extends ProfileOptions {
  readonly allowWrites?: true
  readonly printConfig?: true
}

export function addMcpCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('mcp')
    .description(
      'let an assistant use the scopes of a tenant: a server of the Model Context Protocol on standard input and output',
    )
    .option(...PROFILE)
    .option('--allow-writes', 'also offer tools that send documents and decide contradictions')
    .option('--print-config', 'print the configuration that an assistant needs to start this, and end')
    .action(async (options: McpOptions) => {
      if (options.printConfig) return printConfig(options, environment)
      const { concord } = await connect(options, environment)
      // Loaded only here: no other command needs it.
      const { serveTools } = await import('@concord/mcp')
      serveTools({ concord, allowWrites: options.allowWrites ?? false, version: manifest.version, onError })
    })
}

/** It has no secret in it: the key stays in the profile, which has to be there. */
async function printConfig(options: McpOptions, environment: CliEnvironment): Promise<void> {
  const profile = profileName(options, environment)
  await readProfile({ profile }, environment)
  const args = ['mcp', '--profile', profile, ...(options.allowWrites ? ['--allow-writes'] : [])]
  printJson({ mcpServers: { concord: { command: launcherPath(), args } } })
}

/** Standard output belongs to the protocol. */
function onError({ message }: Error): void {
  process.stderr.write(`${message}\n`)
}
