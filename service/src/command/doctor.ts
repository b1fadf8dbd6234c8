/** `concord doctor`: checks everything that a deployment needs, and gives advice. */
import type { Command } from 'commander'
import { overallVerdict } from '../domain/checkup.ts'
import type { Check } from '../domain/checkup.ts'
import { oneLine, printJson } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'

/** Thrown after the failed checks have been printed. */
class ChecksFailed extends Error {
  constructor(failed: number) {
    super(failed === 1 ? 'One check failed.' : `${failed} checks failed.`)
    this.name = 'ChecksFailed'
  }
}

export function addDoctorCommand(program: Command, runChecks: () => Promise<readonly Check[]>): void {
  program
    .command('doctor')
    .description('check configuration, servers, roles, schema, clocks, keys and processes; changes nothing')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const checks = await runChecks()
      if (options.json) printJson(toJson(checks))
      else for (const line of toLines(checks)) process.stdout.write(`${line}\n`)
      const failed = checks.filter(({ verdict }) => verdict === 'fail').length
      if (failed > 0) throw new ChecksFailed(failed)
    })
}

function toJson(checks: readonly Check[]): object {
  return { verdict: overallVerdict(checks), checks }
}

function toLines(checks: readonly Check[]): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length))
  return checks.map(({ name, verdict, found, advice }) => {
    const line = advice === null ? found : `${found}; ${advice}`
    return `${verdict.padEnd(4)}  ${name.padEnd(width)}  ${oneLine(line)}`
  })
}
