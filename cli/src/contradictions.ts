/** `concord contradictions`: over HTTP as a tenant, or on the server with --tenant as its operator. */
import { Option } from 'commander'
import type { Command } from 'commander'
import type {
  Concord,
  Contradiction,
  ContradictionKind,
  ContradictionStatus,
  Relation,
  ResolutionBody,
  Severity,
} from '@concord/client'
import { holdingIn } from '@concord/client/report'
import { contradictionKinds, relations, severalOf, severities, statuses } from './choices.ts'
import { connect, scopeOf } from './connecting.ts'
import { mostSevereFirst } from './contradiction-order.ts'
import { addNextCommand } from './contradiction-walk.ts'
import { describeBriefly, describeContradiction, describeDecisions } from './contradiction-view.ts'
import type { CliEnvironment } from './environment.ts'
import { DEFAULT_LIMIT, onlyGiven, parseLimit, printFirst, takeFirst } from './listing.ts'
import type { ListOptions } from './listing.ts'
import { JSON_OUTPUT, printJson, printRecord } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { readContexts } from './quote-context.ts'
import { pageWidth, printLines } from '../terminal/screen.ts'

export type ResolutionOutcome = ResolutionBody['outcome']

export interface ContradictionOptions {
  readonly status?: readonly ContradictionStatus[]
  readonly severity?: readonly Severity[]
  readonly relation?: Relation
  readonly kind?: ContradictionKind
  readonly document?: string
}

interface PlaceOptions extends OutputOptions, ProfileOptions {
  readonly scope?: string
  readonly tenant?: string
}

interface ListingOptions extends PlaceOptions, ContradictionOptions, ListOptions {}

export interface SettlingOptions extends PlaceOptions {
  readonly holds?: 'a' | 'b' | 'both' | 'neither'
  readonly reason: string
  readonly by?: string
}

/** Where a tenant is named: the same, straight in the database. */
type Named<Options> = Options & { readonly tenant: string; readonly scope: string }

export interface OperatorContradictions {
  list(options: Named<OutputOptions & ContradictionOptions>): Promise<void>
  show(contradictionId: string, options: Named<OutputOptions>): Promise<void>
  settle(outcome: ResolutionOutcome, contradictionId: string, options: Named<SettlingOptions>): Promise<void>
}

export function addContradictionCommands(
  program: Command,
  environment: CliEnvironment,
  operator?: OperatorContradictions,
): void {
  const contradictions = program
    .command('contradictions')
    .alias('contradiction')
    .description('list, show and decide the contradictions between documents of a scope')
  addList(contradictions, environment, operator)
  addShow(contradictions, environment, operator)
  addNextCommand(contradictions, environment)
  addSettling(contradictions, environment, operator)
}

function withPlace(command: Command, operator: OperatorContradictions | undefined): Command {
  command.option('--scope <id>', 'the scope; default: that of the profile')
  if (operator)
    command.option('--tenant <id>', 'on the server: act for this tenant, straight in the database')
  return command.option(...PROFILE).option(...JSON_OUTPUT)
}

function named<Options extends PlaceOptions>(options: Options): Named<Options> | undefined {
  const { tenant, scope } = options
  if (tenant === undefined) return undefined
  if (scope === undefined) throw new Error('Say which scope of that tenant: --scope ID.')
  return { ...options, tenant, scope }
}

function addList(parent: Command, environment: CliEnvironment, operator?: OperatorContradictions): void {
  const command = parent
    .command('list')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('list contradictions: open ones first, by severity and confidence')
    .addOption(severalOf('--status <statuses>', 'only those', statuses))
    .addOption(severalOf('--severity <severities>', 'only those', severities))
    .addOption(new Option('--relation <relation>', 'only those').choices(relations))
    .addOption(new Option('--kind <kind>', 'only those').choices(contradictionKinds))
    .option('--document <id>', 'only those that this document is a side of')
    .option('--limit <number>', 'how many, or all', parseLimit, DEFAULT_LIMIT)
  withPlace(command, operator).action(async (place: string | undefined, given: ListingOptions) => {
    const options = place === undefined ? given : { ...given, scope: place }
    const onServer = named(options)
    if (operator && onServer) return operator.list(onServer)
    const { concord, profile } = await connect(options, environment)
    const { status, severity, relation, kind, document } = options
    const all = mostSevereFirst(concord, status, {
      scopeId: scopeOf(options.scope, profile),
      ...onlyGiven({ severity, relation, kind, document_id: document }),
    })
    await printFirst(all, options, (items) => items.flatMap((found) => describeBriefly(found, pageWidth())))
  })
}

function addShow(parent: Command, environment: CliEnvironment, operator?: OperatorContradictions): void {
  const command = parent
    .command('show')
    .argument('<contradictionId>', 'its id, or how it begins')
    .description('show both sides of a contradiction beside each other, and what was decided of it')
  withPlace(command, operator).action(async (given: string, options: PlaceOptions) => {
    const onServer = named(options)
    if (operator && onServer) return operator.show(given, onServer)
    const { concord, profile } = await connect(options, environment)
    const scopeId = scopeOf(options.scope, profile)
    const contradictionId = await wholeId(concord, scopeId, given)
    const contradiction = await concord.getContradiction({ scopeId, contradictionId })
    const listed = concord.listDecisions.all({ scopeId, contradiction_id: contradictionId })
    const { items: decisions } = await takeFirst(listed, { limit: Number.POSITIVE_INFINITY })
    if (options.json) return printJson({ contradiction, decisions })
    const contexts = await readContexts(concord, contradiction)
    const width = pageWidth()
    printLines([
      ...describeContradiction(contradiction, width, contexts),
      ...describeDecisions(decisions, contradiction, width),
    ])
  })
}

function addSettling(parent: Command, environment: CliEnvironment, operator?: OperatorContradictions): void {
  const add = (name: string, outcome: ResolutionOutcome, description: string) => {
    const command = parent
      .command(name)
      .argument('<contradictionId>', 'its id, or how it begins')
      .description(description)
      .requiredOption('--reason <text>', 'why')
      .option('--by <person>', 'the person who decided; the key is always recorded')
    return withPlace(command, operator).action(async (given: string, options: SettlingOptions) => {
      const onServer = named(options)
      if (operator && onServer) return operator.settle(outcome, given, onServer)
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(options.scope, profile)
      const contradictionId = await wholeId(concord, scopeId, given)
      const body = settlementOf(outcome, options)
      const settled = await concord.resolveContradiction({ scopeId, contradictionId, ...body })
      if (options.json) printJson(settled)
      else printRecord(toRow(settled), options)
    })
  }
  add('resolve', 'resolved', 'resolve an open contradiction in favour of a side').addOption(
    new Option('--holds <side>', 'a, b, both (they are compatible) or neither')
      .choices(['a', 'b', 'both', 'neither'])
      .makeOptionMandatory(),
  )
  add('dismiss', 'dismissed', 'dismiss an open contradiction, because it is none')
  add('reopen', 'reopened', 'open a contradiction again that was resolved or dismissed')
}

function settlementOf(outcome: ResolutionOutcome, { reason, by, holds }: SettlingOptions): ResolutionBody {
  const why = { reason, ...(by !== undefined && { by }) }
  return outcome === 'resolved' ? { outcome, holds: holds ?? 'neither', ...why } : { outcome, ...why }
}

function toRow(contradiction: Contradiction) {
  const { contradiction_id: id, status, resolution } = contradiction
  const holds = resolution?.holds ?? null
  return {
    contradiction_id: id,
    status,
    holds: holds === null ? null : holdingIn(contradiction, holds),
    decision_id: resolution?.decision_id ?? null,
  }
}

const WHOLE = 36
const SHORTEST = 4

/** The beginning of an id is enough where only one begins so. */
async function wholeId(concord: Concord, scopeId: string, given: string): Promise<string> {
  if (given.length >= WHOLE) return given
  if (given.length < SHORTEST) throw new Error(`Give at least ${SHORTEST} characters of the id.`)
  const found: string[] = []
  for await (const { contradiction_id: id } of concord.listContradictions.all({ scopeId }))
    if (id.startsWith(given)) found.push(id)
  const [only] = found
  if (only === undefined)
    throw new Error(`No contradiction in ${scopeId} has an id that begins with ${given}.`)
  if (found.length > 1) throw new Error(`${found.length} ids begin with ${given}; give more of it.`)
  return only
}
