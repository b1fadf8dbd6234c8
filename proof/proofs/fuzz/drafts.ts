/** The three kinds of request for an operation, as generators: valid, nearly valid, hostile. */
import * as fc from 'fast-check'
import { rightKeys, withWrongKeys } from './credentials.ts'
import type { OpenapiOperation, Parameter } from '../../harness/openapi.ts'
import { encodeBody, fitBody, fitHeader } from './fitting-bodies.ts'
import { hostileTwistsFor } from './hostile.ts'
import { nearValidSteps } from './near-valid.ts'
import type { Changed, DraftDeps } from './near-valid.ts'
import type { Resolve } from '../../harness/openapi/schema.ts'
import { headerTextsOf } from './texts.ts'
import { valuesOf } from './values.ts'
import { plainWire, withJson } from './wire.ts'
import type { Header } from '../../harness/http.ts'
import type { Wire } from './wire.ts'
import { isOpaque } from './world.ts'
import type { Facts } from './world.ts'

export type DraftKind = 'valid' | 'nearly valid' | 'hostile'

export const kinds: readonly DraftKind[] = ['valid', 'nearly valid', 'hostile']

/** The values that the generator draws for a valid request. Which tenant, key or scope it is about is settled when it is sent. */
export interface DraftParts {
  readonly draw: number
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly accept: string | undefined
  readonly requestId: string | undefined
}

export interface RequestDraft {
  readonly operation: OpenapiOperation
  readonly kind: DraftKind
  readonly draw: number
  /** Builds the request and says what was done to it. */
  build(facts: Facts): Changed
}

/** Small numbers are no likelier than others: each one chooses from a list. */
const evenly = fc.noBias(fc.nat())

export function draftsOf(
  deps: DraftDeps,
  operation: OpenapiOperation,
  kind: DraftKind,
): fc.Arbitrary<RequestDraft> {
  const parts = partsOf(operation, deps.resolve)
  if (kind === 'valid') return parts.map((each) => toDraft(operation, kind, each, () => 'valid'))
  const choices = fc.record({ parts, choice: evenly, draw: evenly })
  return choices.map(({ parts: each, choice, draw }) => {
    if (kind === 'hostile') return hostileDraft(operation, each, choice, draw)
    return nearDraft(deps, operation, each, choice, draw)
  })
}

function partsOf(operation: OpenapiOperation, resolve: Resolve): fc.Arbitrary<DraftParts> {
  const parameters = Object.fromEntries(
    operation.parameters.map((each) => {
      const values =
        each.in === 'header' ? headerTextsOf(resolve(each.schema)) : valuesOf(each.schema, resolve)
      return [each.name, each.required ? values : fc.option(values, { nil: undefined })]
    }),
  )
  const types = [...((operation.answers.get(200) ?? operation.answers.get(201))?.contents.keys() ?? [])]
  const body = operation.body ? valuesOf(operation.body.schema, resolve) : fc.constant(undefined)
  return fc.record({
    draw: evenly,
    parameters: fc.record(parameters, { noNullPrototype: true }),
    body: operation.body?.required === false ? fc.option(body, { nil: undefined }) : body,
    accept: fc.constantFrom(undefined, '*/*', ...types),
    requestId: fc.option(fc.stringMatching(/^[A-Za-z0-9._:-]{8,60}$/), { nil: undefined }),
  })
}

function toDraft(
  operation: OpenapiOperation,
  kind: DraftKind,
  parts: DraftParts,
  change: (wire: Wire, facts: Facts, fitted: DraftParts) => string | Changed,
): RequestDraft {
  return {
    operation,
    kind,
    draw: parts.draw,
    build(facts) {
      const fitted = { ...parts, body: fitBody(operation, parts.body, facts) }
      const wire = validWire(operation, fitted, facts)
      const changed = change(wire, facts, fitted)
      return typeof changed === 'string' ? { wire, label: changed } : changed
    },
  }
}

function validWire(operation: OpenapiOperation, parts: DraftParts, facts: Facts): Wire {
  const headers: Header[] = [['Host', 'service.example'], ...rightKeys(operation, facts, parts.draw)]
  if (parts.accept !== undefined) headers.push(['Accept', parts.accept])
  if (parts.requestId !== undefined) headers.push(['X-Request-Id', parts.requestId])
  for (const [{ name }, value] of valuesIn('header', operation, parts, facts)) headers.push([name, value])
  const wire = { ...plainWire, method: operation.method, target: targetOf(operation, parts, facts), headers }
  if (parts.body === undefined) return wire
  return withJson(wire, encodeBody(parts.body, operation.body?.maxBytes ?? 0, parts.draw))
}

function targetOf(operation: OpenapiOperation, parts: DraftParts, facts: Facts): string {
  let path = operation.path
  for (const [{ name }, value] of valuesIn('path', operation, parts, facts))
    path = path.replace(`{${name}}`, () => encodeURIComponent(value))
  const query = valuesIn('query', operation, parts, facts).map(
    ([{ name }, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** A known value wins over a generated one. What is opaque cannot be generated: without a known one it is left out. */
function valuesIn(
  place: string,
  operation: OpenapiOperation,
  parts: DraftParts,
  facts: Facts,
): [Parameter, string][] {
  return operation.parameters
    .filter((each) => each.in === place)
    .flatMap((each): [Parameter, string][] => {
      const generated = parts.parameters[each.name]
      if (generated === undefined) return []
      const known = facts.values[each.name]
      if (known === undefined && isOpaque(operation, each.name)) return []
      const value = fitHeader(each, known ?? toText(generated), parts.body, facts)
      return value === undefined ? [] : [[each, value]]
    })
}

function nearDraft(
  deps: DraftDeps,
  operation: OpenapiOperation,
  parts: DraftParts,
  choice: number,
  draw: number,
): RequestDraft {
  return toDraft(operation, 'nearly valid', parts, (wire, facts, fitted) => {
    const known = ['path', 'query', 'header'].flatMap((place) => valuesIn(place, operation, fitted, facts))
    const steps = nearValidSteps(deps, operation, { wire, body: fitted.body, known })
    const step = steps[choice % steps.length]
    return step?.(draw) ?? 'unchanged'
  })
}

/** One in ten also comes with the wrong credentials. */
function hostileDraft(
  operation: OpenapiOperation,
  parts: DraftParts,
  choice: number,
  draw: number,
): RequestDraft {
  return toDraft(operation, 'hostile', parts, (right, facts, { body }) => {
    const wire = parts.draw % 10 === 0 ? withWrongKeys(right, draw) : right
    const group = hostileTwistsFor(operation, choice)
    const twist = group[draw % group.length]
    if (!twist) return 'unchanged'
    const { cursor } = facts.values
    return { label: twist.label, wire: twist.apply({ wire, operation, body, draw: choice, cursor }) }
  })
}

/** Writes a value as the text of a parameter: several with commas between, an object as JSON. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
