/** The steps that take a valid request out of the valid by a hair: one parameter, the body, the keys or the address. */
import { withWrongKeys } from './credentials.ts'
import type { OpenapiOperation, Parameter } from '../../harness/openapi.ts'
import { digitMisses, isWhole, nearMisses, textMisses } from './near-misses.ts'
import type { NearMiss } from './near-misses.ts'
import type { Resolve } from '../../harness/openapi/schema.ts'
import type { Validators } from './validators.ts'
import { withHeader, withJson } from './wire.ts'
import type { Wire } from './wire.ts'

export interface Changed {
  readonly wire: Wire
  /** The change of the valid request. */
  readonly label: string
}

export interface DraftDeps {
  readonly resolve: Resolve
  readonly validators: Validators
}

type Step = (draw: number) => Changed

export interface ValidRequest {
  readonly wire: Wire
  readonly body: unknown
  /** The parameters with their values. */
  readonly known: readonly (readonly [Parameter, string])[]
}

export function nearValidSteps(deps: DraftDeps, operation: OpenapiOperation, valid: ValidRequest): Step[] {
  const { wire, known } = valid
  const change =
    (parameter: Parameter, value: string, from = wire): Step =>
    (draw) =>
      changeParameter(deps, from, parameter, value, draw)
  const absent = operation.parameters.filter(
    (each) => each.in !== 'path' && !known.some(([{ name }]) => name === each.name),
  )
  const body: Step = (draw) => changeBody(deps, operation, valid, draw)
  return [
    ...known.map(([parameter, value]) => change(parameter, value)),
    ...absent.map((each) => change(each, '', each.in === 'query' ? addQuery(wire, each.name) : wire)),
    // The body is where most of the schema stands, so it comes more often.
    ...(operation.body ? [body, body, body] : []),
    ...(operation.security.length > 0 ? [(draw: number) => changeKeys(wire, draw)] : []),
    (draw) => changeAddress(wire, draw),
  ]
}

function changeParameter(
  deps: DraftDeps,
  wire: Wire,
  parameter: Parameter,
  value: string,
  draw: number,
): Changed {
  const schema = deps.resolve(parameter.schema)
  const { step, value: text } = choose(
    isWhole(schema) ? digitMisses(schema) : textMisses(schema, value),
    draw,
  )
  const changed = replaceParameter(wire, parameter, value, String(text))
  if (!changed) return { wire, label: 'unchanged' }
  const mustBeRefused = !deps.validators.allowsText(parameter, String(text))
  return { wire: { ...changed, mustBeRefused }, label: `${parameter.name} ${step}` }
}

/** Undefined where the text cannot stand: a header is trimmed, and holds bytes rather than characters. */
function replaceParameter(wire: Wire, { name, in: place }: Parameter, value: string, text: string) {
  if (place === 'header')
    return /^[\x20-\x7e]*$/.test(text) && text.trim() === text ? withHeader(wire, name, text) : undefined
  const encoded = encodeURIComponent(text)
  const target =
    place === 'query' ? replaceQuery(wire.target, name, encoded) : replaceSegment(wire.target, value, encoded)
  return { ...wire, target }
}

function changeBody(
  { resolve, validators }: DraftDeps,
  { body }: OpenapiOperation,
  valid: ValidRequest,
  draw: number,
): Changed {
  if (!body) return { wire: valid.wire, label: 'unchanged' }
  const { step, value } = choose(nearMisses(body.schema, valid.body ?? {}, resolve), draw)
  const bytes = Buffer.from(JSON.stringify(value))
  const mustBeRefused = bytes.length > body.maxBytes || validators.fault(body.pointer, value) !== undefined
  return { wire: { ...withJson(valid.wire, bytes), mustBeRefused }, label: `body ${step}` }
}

function changeKeys(wire: Wire, draw: number): Changed {
  return { wire: { ...withWrongKeys(wire, draw), mustBeRefused: true }, label: 'wrong keys' }
}

const ADDRESSES: readonly ((wire: Wire) => Partial<Wire>)[] = [
  ({ target }) => ({ target: target.replace(/(?=\?|$)/, '/') }),
  ({ target }) => ({ target: target.toUpperCase() }),
  ({ target }) => ({ target: target.replace('/', '//') }),
  ({ target }) => ({ target: target.replace(/[^?]*/, (path) => path.slice(0, -1)) }),
  ({ target }) => ({ target: `${target}${target.includes('?') ? '&' : '?'}unknown=1` }),
  ({ method }) => ({ method: method === 'GET' ? 'POST' : 'GET' }),
  ({ method }) => ({ method: method === 'GET' ? 'HEAD' : 'PUT' }),
]

function changeAddress(wire: Wire, draw: number): Changed {
  const change = ADDRESSES[draw % ADDRESSES.length]
  return { wire: { ...wire, ...change?.(wire) }, label: 'address off by a little' }
}

function addQuery(wire: Wire, name: string): Wire {
  return { ...wire, target: `${wire.target}${wire.target.includes('?') ? '&' : '?'}${name}=` }
}

function replaceQuery(target: string, name: string, encoded: string): string {
  return target.replace(new RegExp(`([?&]${name}=)[^&]*`), (_, before: string) => before + encoded)
}

function replaceSegment(target: string, value: string, encoded: string): string {
  const parts = target.split('/')
  const at = parts.findLastIndex((part) => part.split('?')[0] === encodeURIComponent(value))
  return parts.map((part, index) => (index === at ? part.replace(/^[^?]*/, () => encoded) : part)).join('/')
}

function choose(misses: readonly NearMiss[], draw: number): NearMiss {
  return misses[draw % misses.length] ?? { step: 'unchanged', value: '' }
}
