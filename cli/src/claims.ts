/** `concord claims`: what the documents of a scope say. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Claim, ClaimKind } from '@concord/client'
import { locationText } from '@concord/client/report'
import { claimKinds } from './choices.ts'
import { fitColumns } from '../terminal/columns.ts'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { DEFAULT_LIMIT, onlyGiven, parseLimit, printFirst } from './listing.ts'
import type { ListOptions } from './listing.ts'
import { JSON_OUTPUT } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { tableWidth } from '../terminal/screen.ts'
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
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('list what the documents of a scope claim, and where')
    .addOption(new Option('--kind <kind>', 'only those').choices(claimKinds))
    .option('--document <id>', 'only those of this document')
    .option('--search <words>', 'only those in which words begin so')
    .option('--entity <words>', 'only those about something called so')
    .option('--attribute <words>', 'only those of that attribute')
    .option('--period <period>', 'only those about that time, such as 2025 or 2025-Q3')
    .option('--quotes', 'with the words of the document')
    .option('--limit <number>', 'how many, or all', parseLimit, DEFAULT_LIMIT)
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scope: string | undefined, options: ClaimsOptions) => {
      const { concord, profile } = await connect(options, environment)
      const { kind, document, search, entity, attribute, period } = options
      const filter = onlyGiven({ kind, document_id: document, q: search, entity, attribute, period })
      await printFirst(
        concord.listClaims.all({ scopeId: scopeOf(scope, profile), ...filter }),
        options,
        (claims) => drawClaims(claims, options),
      )
    })
}

const HEADING = ['DOCUMENT', 'KIND', 'ABOUT', 'PERIOD', 'SAYS', 'PLACE', 'SURE']

function drawClaims(claims: readonly Claim[], { quotes }: ClaimsOptions): string[] {
  const [heading = '', ...lines] = fitColumns([HEADING, ...claims.map(cellsOf)], tableWidth(), ['DOCUMENT'])
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
