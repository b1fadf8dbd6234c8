// The page of the command line: what `concord` and each command below it say to --help.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { GENERATED } from './generated.ts'

const ENTRY = join(import.meta.dirname, '..', '..', 'service', 'src', 'main', 'concord.ts')

interface Help {
  readonly name: string
  readonly text: string
}

export function commandPage(): string {
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'command-help.ts'), ENTRY])
  const commands = JSON.parse(printed.toString()) as readonly Help[]
  return `${GENERATED}
# The command line

This page has the \`--help\` text of \`concord\` and each of its commands. In a clone, the command is \`bin/concord\`
([how to put it on the PATH](../how-to/command-line.md#put-the-command-on-the-path)). For their use see [the command line](../how-to/command-line.md) and [operations](../how-to/operations.md).
${commands.map(({ name, text }) => `\n## ${name}\n\n\`\`\`\n${text}\n\`\`\`\n`).join('')}`
}
