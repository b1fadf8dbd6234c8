/** `concord report`: what was found in a scope, as a file to hand on. */
import { writeFile } from 'node:fs/promises'
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Concord } from '@concord/client'
import { arrangeReport, reportFormats, writeReport } from '@concord/client/report'
import type { ReportData, ReportFormat } from '@concord/client/report'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { takeFirst } from './listing.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { printLines } from '../terminal/screen.ts'
import { plural } from '../terminal/words.ts'

interface ReportOptions extends ProfileOptions {
  readonly format: ReportFormat
  readonly output?: string
}

export function addReportCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('report')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('write a report of a scope to share: HTML, Word, Markdown, CSV or JSON')
    .addOption(new Option('--format <format>', 'of the file').choices(reportFormats).default('html'))
    .option('--output <file>', 'file to write; default: standard output')
    .option(...PROFILE)
    .action(async (scope: string | undefined, options: ReportOptions) => {
      if (options.format === 'docx' && options.output === undefined && process.stdout.isTTY)
        throw new Error('A DOCX file is not text; name the file to write with --output.')
      const { concord, profile } = await connect(options, environment)
      const data = await readReport(concord, scopeOf(scope, profile), new Date())
      const file = await writeReport(data, options.format)
      if (options.output === undefined) process.stdout.write(file)
      else {
        await writeFile(options.output, file)
        printLines([
          `${options.output}: ${plural(data.contradictions.length, 'contradiction')}, ${plural(data.documents.length, 'document')}`,
        ])
      }
    })
}

const ALL = { limit: Number.POSITIVE_INFINITY }

/** Page by page and without the bounds of the service: what is written is as large as the scope. */
async function readReport(concord: Concord, scopeId: string, now: Date): Promise<ReportData> {
  const [summary, convergence, contradictions, decisions, documents] = await Promise.all([
    concord.getOwnScope({ scopeId }),
    concord.getOwnScopeConvergence({ scopeId }),
    takeFirst(concord.listContradictions.all({ scopeId, limit: 100 }), ALL),
    takeFirst(concord.listDecisions.all({ scopeId, limit: 100 }), ALL),
    takeFirst(concord.listDocuments.all({ scopeId, limit: 100 }), ALL),
  ])
  return arrangeReport({
    generated_at: now.toISOString(),
    summary,
    convergence,
    contradictions: contradictions.items,
    decisions: decisions.items,
    documents: documents.items,
  })
}
