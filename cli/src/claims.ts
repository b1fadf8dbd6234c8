/** `concord claims`: what the documents of a scope say. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Claim, ClaimKind } from '@concord/client'
import { locationText } from '@concord/client/report'
import { claimKinds } from './choices.ts'
import { fitColumns } from '../terminal/columns.ts'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { DEFAULT_LIMIT, parseLimit, takeFirst, tellOfMore } from './listing.ts'
import type { ListOptions } from './listing.ts'
import { printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import type { ProfileOptions } from './profile.ts'
import { printLines, tableWidth } from '../terminal/screen.ts'
import { oneLine } from '../terminal/words.ts'

interface ClaimsOptions extends OutputOptions, ProfileOptions, ListOptions {
  readonly kind?: ClaimKind
  readonly document?: string
  readonly search?: string
  readonly entity?: string
  readonly attribute?: string
  readonly period?: string
  readonly quotes?: boolean
}

export function addClaimsCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('claims')
    .argument('[scope]', 'the scope; that of the profile where none is named')
    .description('list what the documents of a scope claim, and where')
    .addOption(new Option('--kind <kind>', 'only those').choices(claimKinds))
    .option('--document <id>', 'only those of this document')
    .option('--search <words>', 'only those in which words begin so')
    .option('--entity <words>', 'only those about something called so')
    .option('--attribute <words>', 'only those of that attribute')
    .option('--period <period>', 'only those about that time, such as 2025 or 2025-Q3')
    .option('--quotes', 'with the words of the document')
    .option('--limit <number>', 'how many, or all', parseLimit, DEFAULT_LIMIT)
    .option('--profile <name>', 'another profile than the default')
    .option('--json', 'print JSON')
    .action(async (scope: string | undefined, options: ClaimsOptions) => {
      const { concord, profile } = await connect(options, environment)
      const listed = await takeFirst(
        concord.listClaims.all({
          scopeId: scopeOf(scope, profile),
          ...(options.kind && { kind: options.kind }),
          ...(options.document !== undefined && { document_id: options.document }),
          ...(options.search !== undefined && { q: options.search }),
          ...(options.entity !== undefined && { entity: options.entity }),
          ...(options.attribute !== undefined && { attribute: options.attribute }),
          ...(options.period !== undefined && { period: options.period }),
        }),
        options,
      )
      if (options.json) printJson(listed.items)
      else printLines(drawClaims(listed.items, options))
      tellOfMore(listed)
    })
}

const HEADING = ['DOCUMENT', 'KIND', 'ABOUT', 'PERIOD', 'SAYS', 'PLACE', 'SURE']

function drawClaims(claims: readonly Claim[], { quotes }: ClaimsOptions): string[] {
  if (claims.length === 0) return ['(none)']
  const [heading = '', ...lines] = fitColumns([HEADING, ...claims.map(cellsOf)], tableWidth())
  if (!quotes) return [heading, ...lines]
  return [heading, ...lines.flatMap((line, at) => [line, `    "${oneLine(claims[at]?.quote ?? '')}"`])]
}

function cellsOf(claim: Claim): string[] {
  const about = claim.entity === null ? claim.attribute : `${claim.entity}: ${claim.attribute}`
  const world = [...claim.qualifiers, ...(claim.modality === 'actual' ? [] : [claim.modality])]
  return [
    oneLine(claim.document_id),
    claim.kind,
    oneLine(world.length === 0 ? about : `${about} (${world.join(', ')})`),
    claim.period ?? '-',
    oneLine(claim.polarity === 'denied' ? `not ${claim.value.text}` : claim.value.text),
    claim.location === null ? `${claim.start}-${claim.end}` : locationText(claim.location),
    claim.confidence.toFixed(2),
  ]
}
