/** `concord export`: all records of a scope, one JSON object a line. */
import { once } from 'node:events'
import type { Command } from 'commander'
import type { Concord } from '@concord/client'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import type { ProfileOptions } from './profile.ts'

export function addExportCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('export')
    .argument('[scope]', 'the scope; that of the profile where none is named')
    .description('print documents, claims, contradictions and decisions of a scope, one JSON object a line')
    .option('--profile <name>', 'another profile than the default')
    .action(async (scope: string | undefined, options: ProfileOptions) => {
      const { concord, profile } = await connect(options, environment)
      for await (const line of linesOf(concord, scopeOf(scope, profile)))
        if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
    })
}

/** The lines of the service's own export, page by page, so that no more than a page is held and a lost connection is no end. */
async function* linesOf(concord: Concord, scopeId: string): AsyncGenerator<object> {
  const page = { scopeId, limit: 100 }
  const counts = { documents: 0, claims: 0, contradictions: 0, decisions: 0 }
  for await (const record of concord.listDocuments.all(page)) {
    counts.documents += 1
    yield { kind: 'document', record }
  }
  for await (const record of concord.listClaims.all(page)) {
    counts.claims += 1
    yield { kind: 'claim', record }
  }
  for await (const record of concord.listContradictions.all(page)) {
    counts.contradictions += 1
    yield { kind: 'contradiction', record }
  }
  for await (const record of concord.listDecisions.all(page)) {
    counts.decisions += 1
    yield { kind: 'decision', record }
  }
  yield { kind: 'end', ...counts }
}
