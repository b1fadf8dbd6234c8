/** `concord watch`: what happens in a scope, as it happens. */
import { styleText } from 'node:util'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Concord, EventOf, EventStream } from '@concord/client'
import { shorten } from '../terminal/columns.ts'
import { connect, scopeOf } from './connecting.ts'
import type { CliEnvironment } from './environment.ts'
import { untilInterrupted } from './interrupting.ts'
import { printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { readCell } from './reading-view.ts'
import { printLines, tableWidth } from '../terminal/screen.ts'
import { oneLine, plural, shareText } from '../terminal/words.ts'

type ScopeEvent = EventOf<Concord['streamOwnScopeEvents']>

interface WatchOptions extends OutputOptions, ProfileOptions {
  readonly after?: number
}

export function addWatchCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('watch')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('follow what happens in a scope until Ctrl-C; goes on by itself when the connection is lost')
    .option('--after <position>', 'begin after this position of the log; 0 is the beginning', parsePosition)
    .option(...PROFILE)
    .option('--json', 'print each event as JSON on a line of its own')
    .action(async (scope: string | undefined, options: WatchOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(scope, profile)
      const place = { scopeId, ...(options.after !== undefined && { after: options.after }) }
      let stream: EventStream<ScopeEvent> | undefined
      await untilInterrupted(async (signal) => {
        stream = concord.streamOwnScopeEvents(place, { signal, onReconnect: () => tell('connected again') })
        for await (const event of stream) {
          if (options.json) printJson(event)
          else if (event.type === 'resync') tell(`the log begins anew at ${event.head}; read the scope again`)
          else printLines([shorten(drawEvent(event), tableWidth() ?? Number.POSITIVE_INFINITY)])
        }
      })
      if (stream?.position !== undefined)
        tell(`concord watch ${scopeId} --after ${stream.position} goes on from here`)
    })
}

/** Beside the events, for the person who looks at them. */
function tell(what: string): void {
  process.stderr.write(`${styleText('dim', what, { stream: process.stderr })}\n`)
}

const KIND_WIDTH = 23

function drawEvent(event: ScopeEvent): string {
  const seq = String(event.data.seq ?? '').padStart(6)
  return `${event.time.slice(11, 19)}  ${seq}  ${event.type.padEnd(KIND_WIDTH)}  ${oneLine(detailsOf(event))}`
}

/** Where it happened is known; the rest is told as it is. */
const KNOWN = new Set(['tenant_id', 'scope_id', 'epoch', 'seq'])

function detailsOf(event: ScopeEvent): string {
  switch (event.type) {
    case 'document.failed':
    case 'document.held':
      return `${event.data.document_id}: ${event.data.reason}`
    case 'document.processed': {
      const { document_id: id, version, reading } = event.data
      return `${id} (version ${version}): ${readCell(reading)}, ${plural(reading.claims, 'claim')}`
    }
    case 'claims.extracted':
      return `${event.data.document_id}: ${event.data.claims}`
    case 'contradiction.opened':
    case 'contradiction.changed':
      return findingOf(event.data)
    case 'contradiction.withdrawn':
      return `${findingOf(event.data)}: ${event.data.reason}`
    case 'comparison.cut': {
      const { groups, claims, findings } = event.data
      return `${plural(groups, 'group')} incomplete, ${plural(claims, 'claim')} and ${plural(findings, 'finding')} left out`
    }
    case 'convergence.changed':
      return `${event.data.state} ${shareText(event.data.score)}, ${event.data.blockers} in the way`
    default:
      return 'document_id' in event.data
        ? `${event.data.document_id} (version ${event.data.version})`
        : plainDetails(event.data)
  }
}

interface Finding {
  readonly severity: string
  readonly relation: string
  readonly kind: string
  readonly document_ids: readonly string[]
}

function findingOf({ severity, relation, kind, document_ids: ids }: Finding): string {
  const where = new Set(ids).size === 1 ? `inside ${ids[0]}` : `between ${ids.join(' and ')}`
  return `${severity} ${relation} (${kind}) ${where}`
}

function plainDetails(data: object): string {
  return Object.entries(data)
    .flatMap(([name, value]) =>
      KNOWN.has(name) ? [] : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
    )
    .join(', ')
}

function parsePosition(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Give a position of the log, 0 or more.')
  return Number(value)
}
