/** Checks a policy text: it must parse, use only attributes of the schema, and name each policy once. */
import type { PolicyProblem } from '../domain/policy.ts'
import type { Cedar, CedarInstance } from './cedar.ts'
import { placeAt } from './place.ts'

/** A parsed policy. */
export interface ParsedPolicy {
  readonly id: string
  readonly text: string
  readonly json: Cedar.PolicyJson
}

export interface CheckedText {
  readonly policies: readonly ParsedPolicy[]
  readonly problems: readonly PolicyProblem[]
}

const MAX_POLICIES = 200
/** The maximum depth of an expression. The stack of the engine overflows at about eight times this depth. */
const DEEPEST = 128
const ID = /^[a-z0-9][a-z0-9._-]{0,79}$/

export function checkText(instance: CedarInstance, schema: string, text: string): CheckedText {
  try {
    return instance.ask((cedar) => check(cedar, schema, text))
  } catch {
    return refuse(tooDeep(text, 0))
  }
}

/** Returns the policies of a text that was checked when it was stored; undefined if it does not parse any more. */
export function parseText(instance: CedarInstance, text: string): readonly ParsedPolicy[] | undefined {
  try {
    return instance.ask((cedar) => {
      const parts = cedar.policySetTextToParts(text)
      return parts.type === 'success' ? parts.policies.map((part) => parse(cedar, part)) : undefined
    })
  } catch {
    return undefined
  }
}

function check(cedar: typeof Cedar, schema: string, text: string): CheckedText {
  const answer = cedar.validate({ schema, policies: { staticPolicies: text } })
  if (answer.type === 'failure')
    return refuse(...answer.errors.map((error) => toProblem(text, 'syntax', error)))
  const parts = cedar.policySetTextToParts(text)
  if (parts.type === 'failure')
    return refuse(...parts.errors.map((error) => toProblem(text, 'syntax', error)))
  const parsed = parts.policies.map((part) => parse(cedar, part))
  const names = nameByNumber(parsed)
  const invalid = answer.validationErrors.map(({ policyId, error }) =>
    toProblem(text, 'invalid', { ...error, message: withName(error.message, policyId, names.get(policyId)) }),
  )
  return { policies: parsed, problems: [...invalid, ...checkEach(text, parsed)] }
}

function refuse(...problems: readonly PolicyProblem[]): CheckedText {
  return { policies: [], problems }
}

function parse(cedar: typeof Cedar, text: string): ParsedPolicy {
  const answer = cedar.policyToJson(text)
  if (answer.type === 'failure') throw new Error('a policy of a set that parses does not parse')
  return { id: answer.json.annotations?.['id'] ?? '', text, json: answer.json }
}

/** The engine names policies by their position, and sorts them by these names: 0, 1, 10, 11, 2. */
function nameByNumber(parsed: readonly ParsedPolicy[]): Map<string, string> {
  const numbered = parsed.map((_, index) => `policy${index}`).toSorted()
  return new Map(numbered.map((number, index) => [number, parsed[index]?.id ?? '']))
}

function withName(message: string, number: string, name: string | undefined): string {
  const plain = message.replace(`for policy \`${number}\`, `, '')
  return name ? `${name}: ${plain}` : plain
}

function checkEach(text: string, parsed: readonly ParsedPolicy[]): PolicyProblem[] {
  const problems: PolicyProblem[] = []
  const seen = new Set<string>()
  for (const policy of parsed) {
    const at = Math.max(0, text.indexOf(policy.text))
    if (depthOf(policy.json.conditions) > DEEPEST) problems.push(tooDeep(text, at))
    const fault = idFault(policy.id, seen)
    if (fault) problems.push({ ...placeAt(text, at), ...fault })
    seen.add(policy.id)
  }
  if (parsed.length > MAX_POLICIES)
    problems.push({
      ...placeAt(text, 0),
      code: 'too_many',
      message: `there are ${parsed.length} policies; ${MAX_POLICIES} fit`,
      help: 'put what they have in common into one, for example with [..].contains(..)',
    })
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function idFault(
  id: string,
  seen: ReadonlySet<string>,
): Pick<PolicyProblem, 'code' | 'message' | 'help'> | undefined {
  if (id === '')
    return {
      code: 'id_missing',
      message: 'the policy has no id',
      help: 'write @id("some-name") above it: decisions name the policies that decided',
    }
  if (!ID.test(id))
    return {
      code: 'id_invalid',
      message: 'the id of the policy has other characters than it may, or too many',
      help: 'use at most 80 lowercase letters, digits, dots, underscores and hyphens',
    }
  if (seen.has(id))
    return { code: 'id_repeated', message: `two policies have the id ${id}`, help: 'give each its own' }
  return undefined
}

function tooDeep(text: string, at: number): PolicyProblem {
  return {
    ...placeAt(text, at),
    code: 'too_deep',
    message: `an expression nests deeper than ${DEEPEST} levels`,
    help: 'split the policy, or compare with a set: ["a", "b"].contains(..) instead of many ||',
  }
}

/** Measures the depth without recursion, because the expression may be deep. */
function depthOf(root: unknown): number {
  let deepest = 0
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next
    if (typeof node !== 'object' || node === null) continue
    deepest = Math.max(deepest, depth)
    // Each operator is two nested objects.
    for (const each of Object.values(node))
      open.push({ node: each, depth: depth + (Array.isArray(node) ? 0 : 0.5) })
  }
  return deepest
}

function toProblem(text: string, code: 'syntax' | 'invalid', error: Cedar.DetailedError): PolicyProblem {
  const [where] = error.sourceLocations ?? []
  const template = error.message.includes('includes a template')
  return {
    ...placeAt(text, where?.start ?? 0, 'bytes'),
    code: template ? 'template' : code,
    message: error.message.replace(/^failed to parse policies from string: /, ''),
    help: template
      ? 'write the entity in the place of ?principal or ?resource'
      : (error.help ?? where?.label ?? null),
  }
}
