/** `concord export`: all records of a scope, one JSON object a line. */
import type { Command } from 'commander'
import type { Concord } from '@concord/client'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { writeOut } from '../terminal/screen.ts'

export function addExportCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('export')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('print documents, claims, contradictions and decisions of a scope, one JSON object a line')
    .option(...PROFILE)
    .action(async (scope: string | undefined, options: ProfileOptions) => {
      const { concord, profile } = await connect(options, environment)
      for await (const line of linesOf(concord, scopeOf(scope, profile)))
        await writeOut(`${JSON.stringify(line)}\n`)
    })
}

/** The lines of the service's own export, page by page, so that no more than a page is held and a lost connection is no end. */
async function* linesOf(concord: Concord, scopeId: string): AsyncGenerator<object> {
  const page = { scopeId, limit: 100 }
  const subjects = [
    { kind: 'document', plural: 'documents', list: concord.listDocuments },
    { kind: 'claim', plural: 'claims', list: concord.listClaims },
    { kind: 'contradiction', plural: 'contradictions', list: concord.listContradictions },
    { kind: 'decision', plural: 'decisions', list: concord.listDecisions },
  ]
  const counts: Record<string, number> = {}
  for (const { kind, plural, list } of subjects) {
    let count = 0
    // oxlint-disable-next-line no-await-in-loop -- one list after the other
    for await (const record of list.all(page)) {
      count += 1
      yield { kind, record }
    }
    counts[plural] = count
  }
  yield { kind: 'end', ...counts }
}
