/** `concord report`: what was found in a scope, as a file to hand on. */
import { writeFile } from 'node:fs/promises'
import { Option } from 'commander'
import type { Command } from 'commander'
import { connect, scopeOf } from './connecting.ts'
import type { Environment } from './environment.ts'
import { toPlainJson } from './words.ts'
import type { ProfileOptions } from './profile.ts'
import { readCase } from './report/case-data.ts'
import type { CaseData } from './report/case-data.ts'
import { toCsv } from './report/csv.ts'
import { toHtml } from './report/html.ts'
import { toMarkdown } from './report/markdown.ts'

const FORMATS = {
  html: toHtml,
  md: toMarkdown,
  csv: toCsv,
  json: (data: CaseData) => `${toPlainJson(data)}\n`,
} as const

interface ReportOptions extends ProfileOptions {
  readonly format: keyof typeof FORMATS
  readonly output?: string
}

export function addReportCommand(program: Command, environment: Environment): void {
  program
    .command('report')
    .argument('[scope]', 'the scope; that of the profile where none is named')
    .description('write what was found in a scope as a file to hand on')
    .addOption(new Option('--format <format>', 'of the file').choices(Object.keys(FORMATS)).default('html'))
    .option('--output <file>', 'where to write it; standard output where none is named')
    .option('--profile <name>', 'another profile than the default')
    .action(async (scope: string | undefined, options: ReportOptions) => {
      const { concord, profile } = await connect(options, environment)
      const data = await readCase(concord, scopeOf(scope, profile), new Date())
      const text = FORMATS[options.format](data)
      if (options.output === undefined) process.stdout.write(text)
      else await writeFile(options.output, text)
    })
}
