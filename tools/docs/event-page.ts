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

This page lists the fields of \`data\` for the ${toldKinds.length} kinds of events. When each is sent, the envelope and how to follow a stream are in
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
    return `| \`${name}\` | ${typeOf(field)}${left} | ${meaningOf(field)} |`
  })
  if (rows.length === 0) throw new Error(`The contract does not say what ${kind} holds.`)
  return `\n## ${kind}\n\n| field | type | means |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** Text beside a reference counts more than what it refers to. */
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

function meaningOf(given: Field): string {
  const field = resolve(given)
  const said = [field, ...(field.anyOf ?? []).map((each) => resolve(each))].find(
    ({ description }) => description,
  )
  return (said?.description ?? '').replaceAll('|', String.raw`\|`)
}
