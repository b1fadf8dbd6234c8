// The page of what each kind of event says in its data, field by field.

import { contractVersion, openApiDocument, servedOperations } from '@concord/contract'
import type { EventKind } from '@concord/contract'
import { GENERATED } from './generated.ts'

interface Field {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | null)[]
  readonly anyOf?: readonly Field[]
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
  readonly $ref?: string
}

/** Every kind that a served stream carries, in the order of the contract. */
export const toldKinds: readonly EventKind[] = [
  ...new Set(servedOperations.flatMap(({ events = [] }) => events)),
]

export function eventPage(): string {
  return `${GENERATED}
# Fields of events

What \`data\` holds, kind by kind; the ${toldKinds.length} kinds that are told today. When each is told, the envelope and how to follow a stream are in
[events](events.md).
${toldKinds.map(kindSection).join('')}`
}

type Named = Readonly<Record<string, Field>>

const { components } = openApiDocument(servedOperations, { version: contractVersion }) as unknown as {
  readonly components: { readonly schemas: Named }
}
const named = components.schemas

function kindSection(kind: EventKind): string {
  const { properties = {} } = named[kind] ?? {}
  const { properties: fields = {}, required = [] } = resolve(properties['data'] ?? {})
  const rows = Object.entries(fields).map(([name, field]) => {
    const left = required.includes(name) ? '' : ', may be left out'
    return `| \`${name}\` | ${typeOf(field)}${left} | ${meaningOf(name, field)} |`
  })
  if (rows.length === 0) throw new Error(`The contract does not say what ${kind} holds.`)
  return `\n## ${kind}\n\n| field | type | means |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** What stands beside a reference counts more than what it refers to. */
function resolve(field: Field): Field {
  const { $ref: reference, ...beside } = field
  return reference === undefined
    ? field
    : { ...named[reference.replace('#/components/schemas/', '')], ...beside }
}

function typeOf(given: Field): string {
  const field = resolve(given)
  if (field.enum) return field.enum.map((value) => `\`${value}\``).join(', ')
  if (field.anyOf) return field.anyOf.map((each) => typeOf(each)).join(' or ')
  if (field.items) return `list of ${typeOf(field.items)}`
  const inside = Object.keys(field.properties ?? {})
  if (inside.length > 0) return `object: ${inside.map((name) => `\`${name}\``).join(', ')}`
  return [field.type ?? 'any'].flat().join(' or ')
}

/** Of fields that the contract leaves to their names. */
const meanings: Readonly<Record<string, string>> = {
  attempt: 'Which attempt it is, from 1.',
  blockers: 'How many things are in the way.',
  claims: 'How many were read.',
  effective_state: 'That of the strictest of the switches that count here.',
  epoch: 'Raised by every reset of the scope.',
  from: 'Workers wanted before.',
  generation: 'Raised by every restart.',
  heartbeat_age_ms: 'How long it had not been heard.',
  host: 'The machine it is on.',
  level: 'Whose switch was moved.',
  number: 'Its place in the chain of certificates, from 1.',
  passages: 'How many were read.',
  point: 'Where policy was asked.',
  removed: 'How much of what is gone.',
  result: 'What was decided.',
  role: 'What it does: `worker`.',
  score: 'How settled the scope is, from 0 to 1.',
  sentences: 'How many were read.',
  severity: 'How much it matters.',
  state: 'Where it stands now.',
  to: 'Workers wanted now.',
  version: 'Of the document, from 1.',
  worker_id: 'The process.',
}

function meaningOf(name: string, given: Field): string {
  const field = resolve(given)
  const said = [field, ...(field.anyOf ?? []).map((each) => resolve(each))].find(
    ({ description }) => description,
  )
  return (said?.description ?? meanings[name] ?? '').replaceAll('|', String.raw`\|`)
}
