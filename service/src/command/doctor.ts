/** `concord doctor`: looks at everything that a deployment needs, and says what to do. */
import type { Command } from 'commander'
import { overallVerdict } from '../domain/checkup.ts'
import type { Check } from '../domain/checkup.ts'
import { oneLine, printJson } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'

/** Something must be done; what it is has been printed. */
class Unwell extends Error {
  constructor(failed: number) {
    super(failed === 1 ? 'One check failed.' : `${failed} checks failed.`)
    this.name = 'Unwell'
  }
}

export function addDoctorCommand(program: Command, examine: () => Promise<readonly Check[]>): void {
  program
    .command('doctor')
    .description('check configuration, servers, roles, schema, clocks, keys and processes; changes nothing')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const checks = await examine()
      if (options.json) printJson(toJson(checks))
      else for (const line of toLines(checks)) process.stdout.write(`${line}\n`)
      const failed = checks.filter(({ verdict }) => verdict === 'fail').length
      if (failed > 0) throw new Unwell(failed)
    })
}

function toJson(checks: readonly Check[]): object {
  return { verdict: overallVerdict(checks), checks }
}

function toLines(checks: readonly Check[]): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length))
  return checks.map(({ name, verdict, found, advice }) => {
    const told = advice === null ? found : `${found}; ${advice}`
    return `${verdict.padEnd(4)}  ${name.padEnd(width)}  ${oneLine(told)}`
  })
}
