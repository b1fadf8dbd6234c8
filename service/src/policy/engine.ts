/**
 * Evaluates the policies in force. A set is loaded once and evaluated often. Sets are identified by the hash of their
 * texts, so all tenants without policies of their own share one. Nothing is loaded before the first question.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { POLICY_POINTS } from '../domain/policy.ts'
import type {
  PolicyDecision,
  PolicyPoint,
  PolicyProblem,
  PolicyQuestion,
  PolicyTexts,
} from '../domain/policy.ts'
import { createCedarInstance } from './cedar.ts'
import { checkText, parseText } from './check.ts'
import type { ParsedPolicy } from './check.ts'
import { explainWith } from './explain.ts'
import type { Explanation } from './explain.ts'
import { mayConcern, readsOf } from './reads.ts'
import type { Reads } from './reads.ts'
import { attributesOf, idOf, requestOf } from './request.ts'
import { createSlots } from './slots.ts'
import type { Slots } from './slots.ts'

export interface PolicyEngine {
  /** Returns the faults of the text. Without faults it can be put in force. */
  check(text: string): readonly PolicyProblem[]
  load(texts: PolicyTexts): PolicySet
  /** The hash of the set, without loading it. */
  hashOf(texts: PolicyTexts): string
  explain(texts: PolicyTexts, question: PolicyQuestion): Explanation
  readonly defaultText: string
  readonly schemaText: string
}

export interface PolicySet {
  readonly hash: string
  readonly size: number
  decide(question: PolicyQuestion): PolicyDecision
  /** Decides without the cache. */
  decideAnew(question: PolicyQuestion): PolicyDecision
}

/** The number of prepared sets. The least recently used set is evicted, and prepared again at its next use. */
const READY_SETS = 256
const REMEMBERED_ANSWERS = 2_048

const fileBeside = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

export function createPolicyEngine(readySets = READY_SETS): PolicyEngine {
  const schema = fileBeside('./concord.cedarschema')
  const defaultText = fileBeside('./default.cedar')
  // One instance checks untrusted text, which may break it, and the other decides.
  const anvil = createCedarInstance()
  const deciding = createCedarInstance()
  const slots = createSlots(deciding, readySets)
  const sets = new Map<string, PolicySet>()
  let shipped: readonly ParsedPolicy[] | undefined

  function partsOf({ tenant, scope }: PolicyTexts): Map<string, ParsedPolicy> | undefined {
    const parts = new Map<string, ParsedPolicy>()
    for (const [origin, text] of Object.entries({ default: defaultText, tenant, scope })) {
      if (text === '') continue
      // @point policy.load
      const policies = origin === 'default' ? (shipped ??= parseText(anvil, text)) : parseText(anvil, text)
      if (!policies) return undefined
      for (const policy of policies) parts.set(`${origin}/${policy.id}`, policy)
    }
    return parts
  }

  // This runs for every document, so the default policies are hashed once.
  const shared = addTexts(createHash('sha256'), schema, defaultText)
  const hashed = ({ tenant, scope }: PolicyTexts) => addTexts(shared.copy(), tenant, scope).digest('hex')
  return {
    defaultText,
    schemaText: schema,
    hashOf: hashed,
    check: (text) => checkText(anvil, schema, text).problems,
    load(texts) {
      const hash = hashed(texts)
      const known = sets.get(hash)
      if (known) return known
      const parts = partsOf(texts)
      const set = parts ? createSet(hash, parts, slots) : createUnreadable(hash)
      if (sets.size >= 2 * readySets) sets.clear()
      sets.set(hash, set)
      return set
    },
    explain(texts, question) {
      const parts = partsOf(texts)
      if (!parts) throw new Error('the policies cannot be read; check them first')
      const set = createSet(hashed(texts), parts, createSlots(anvil, POLICY_POINTS.length))
      return explainWith(anvil, schema, parts, set.decide(question), question)
    },
  }
}

/** The hash includes the length of each text, so that moving text from one to the next gives another hash. */
function addTexts(hash: Hash, ...texts: readonly string[]): Hash {
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}\n`).update(text)
  return hash
}

/** An earlier release accepted this text, and this one cannot load it. Nothing is allowed until the text is fixed. */
function createUnreadable(hash: string): PolicySet {
  const decide = (): PolicyDecision => ({ allowed: false, reason: 'undecidable', policies: [], hash })
  return { hash, size: 0, decide, decideAnew: decide }
}

function createSet(hash: string, parts: ReadonlyMap<string, ParsedPolicy>, slots: Slots): PolicySet {
  const entries = [...parts]
  const forbids = new Set(entries.filter(([, { json }]) => json.effect === 'forbid').map(([id]) => id))
  const reads = readsOf(entries.map(([, { json }]) => json))
  const answers = new Map<string, PolicyDecision>()
  // Evaluation takes longer for a larger set, so each point has only the policies that can apply there.
  const owners = Object.fromEntries(POLICY_POINTS.map((point) => [point, { texts: textsAt(point, entries) }]))

  function ask(question: PolicyQuestion): PolicyDecision {
    const { decision, diagnostics } = slots.ask(
      owners[question.point] ?? NOBODY,
      requestOf(question, reads[question.point]),
    )
    const broken = diagnostics.errors.map(({ policyId }) => policyId).filter((id) => forbids.has(id))
    if (decision === 'allow' && broken.length > 0)
      return { allowed: false, reason: 'undecidable', policies: broken.toSorted(), hash }
    const policies = diagnostics.reason.toSorted()
    if (decision === 'allow') return { allowed: true, reason: 'permitted', policies, hash }
    return { allowed: false, reason: policies.length > 0 ? 'forbidden' : 'not_permitted', policies, hash }
  }

  return {
    hash,
    size: entries.length,
    decideAnew: ask,
    decide(question) {
      const key = keyOf(question, reads)
      const known = answers.get(key)
      if (known) return known
      const answer = ask(question)
      if (answers.size >= REMEMBERED_ANSWERS) answers.clear()
      answers.set(key, answer)
      return answer
    },
  }
}

const NOBODY = { texts: {} }

function textsAt(
  point: PolicyPoint,
  entries: readonly (readonly [string, ParsedPolicy])[],
): Record<string, string> {
  const concerned = entries.filter(([, { json }]) => mayConcern(json.action, point))
  return Object.fromEntries(concerned.map(([id, { text }]) => [id, text]))
}

/** Everything that the answer depends on. */
function keyOf(question: PolicyQuestion, reads: Readonly<Record<PolicyPoint, Reads>>): string {
  const { tenantId, scopeId, point } = question
  const wanted = reads[point]
  if (!wanted.place && !wanted.id && wanted.resource.length === 0 && wanted.context.length === 0) return point
  const { resource, context } = attributesOf(question, wanted)
  const place = wanted.place ? [tenantId, scopeId] : []
  return JSON.stringify([point, place, wanted.id ? idOf(question) : '', resource, context])
}
