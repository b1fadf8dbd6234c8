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

What \`concord\` and each of its commands say to \`--help\`. In a clone it is \`bin/concord\`
([how to put it on the PATH](../how-to/command-line.md#once-the-command)). What to use them for is in [operations](../how-to/operations.md).
${commands.map(({ name, text }) => `\n## ${name}\n\n\`\`\`\n${text}\n\`\`\`\n`).join('')}`
}
