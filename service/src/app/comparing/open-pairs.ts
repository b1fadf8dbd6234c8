/**
 * Handles pairs that the rules leave open. For pairs with a verdict of the judge, the verdict decides. The others are queued as
 * questions to the judge if the tenant permits it. The judge is not asked here, because the head of the scope is locked.
 */
import type { JudgeFinding } from '../../domain/judge.ts'
import { toJudgeFinding, PROMPT_VERSION, questionOf } from '../../domain/judge.ts'
import type { PlacedClaim } from '../../domain/finding.ts'
import type { OpenPair } from '../../rules/comparing.ts'
import type { KnownFinding } from '../../store/comparing/comparison.ts'
import { recordRequests, readJudgeVerdicts } from '../../store/contradictions/judge-verdicts.ts'
import type { KnownVerdict } from '../../store/contradictions/judge-verdicts.ts'
import type { PoolConnection } from '../../store/pools.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { findInGroup } from './findings.ts'
import type { CompareContext, ScopeFindings, OpenGroup } from './findings.ts'
import type { ComparedGroup, GroupFindings } from './group-memo.ts'
import type { ChangedGroup, Plan } from './plan.ts'
import { claimKey } from './claim-loader.ts'

/** A scope whose groups were compared by rules. */
export interface ComparedScope extends ScopeFindings {
  readonly plan: Plan
  readonly context: CompareContext
  readonly known: readonly KnownFinding[]
}

/** The maximum number of questions per new document, so that a batch of many documents does not spend the whole budget. */
const MAX_QUESTIONS_PER_DOCUMENT = 8

interface HashedPair extends OpenPair {
  readonly group: ChangedGroup
  readonly compared: ComparedGroup
  /** The hash of the question, as hex. */
  readonly pair: string
}

export async function applyVerdicts(
  connection: PoolConnection,
  compared: readonly ComparedScope[],
): Promise<readonly ComparedScope[]> {
  if (compared.every(({ open }) => open.length === 0)) return compared
  const hashed = compared.map(hashPairs)
  const verdicts = await verdictsOn(connection, compared, hashed)
  await noteOpen(connection, compared, hashed, verdicts)
  return compared.map((each, index) => withVerdicts(each, hashed[index] ?? [], verdicts[index] ?? NONE))
}

/** Compares with the present verdicts and queues no questions, for comparisons before the transaction. */
export async function precomputeVerdicts(
  connection: PoolConnection,
  compared: readonly ComparedScope[],
): Promise<void> {
  if (compared.every(({ open }) => open.length === 0)) return
  const hashed = compared.map(hashPairs)
  const verdicts = await verdictsOn(connection, compared, hashed)
  for (const [index, each] of compared.entries())
    withVerdicts(each, hashed[index] ?? [], verdicts[index] ?? NONE)
}

type Verdicts = ReadonlyMap<string, KnownVerdict>

const NONE: Verdicts = new Map()

function hashPair(seal: ScopeSeal, a: PlacedClaim, b: PlacedClaim): string {
  const asked = JSON.stringify(questionOf(a.claim, b.claim))
  return seal.fingerprint(['judge', String(PROMPT_VERSION), asked]).toString('hex')
}

function hashPairs({ plan, open }: ComparedScope): HashedPair[] {
  return open.flatMap(({ group, compared, open: pairs }) => {
    const hashes = hashesOf(plan.change.seal, compared, pairs)
    return pairs.map((pair, index) => ({ ...pair, group, compared, pair: hashes[index] ?? '' }))
  })
}

function hashesOf(seal: ScopeSeal, compared: ComparedGroup, pairs: OpenGroup['open']): readonly string[] {
  return (compared.hashes ??= pairs.map(({ a, b }) => hashPair(seal, a, b)))
}

async function verdictsOn(
  connection: PoolConnection,
  compared: readonly ComparedScope[],
  hashed: readonly (readonly HashedPair[])[],
): Promise<readonly Verdicts[]> {
  const questions = compared.map(({ plan: { change, judging } }, index) => ({
    tenantId: change.tenantId,
    scopeId: change.scopeId,
    pairs: judging.hasVerdicts ? [...new Set(hashed[index]?.map(({ pair }) => pair))] : [],
  }))
  return readJudgeVerdicts(connection, questions)
}

/** Compares groups again in which a verdict found a contradiction, with that verdict. */
function withVerdicts(each: ComparedScope, hashed: readonly HashedPair[], verdicts: Verdicts): ComparedScope {
  const judgedGroups = new Map<bigint, JudgedGroup>()
  for (const { a, b, pair, group, compared } of hashed) {
    const known = verdicts.get(pair)
    const judged = known && toJudgeFinding(known.verdict, known.model)
    if (!judged) continue
    const inGroup: JudgedGroup = judgedGroups.get(group.key) ?? {
      group,
      compared,
      said: new Map(),
      texts: [],
    }
    inGroup.said.set(placesOf(a, b), judged)
    inGroup.texts.push(`${pair} ${known.verdict} ${known.model}`)
    judgedGroups.set(group.key, inGroup)
  }
  if (judgedGroups.size === 0) return each
  const others = each.findings.filter(({ group }) => !judgedGroups.has(group))
  const omitted = new Map(each.omitted)
  const found = [...judgedGroups.values()].flatMap((judged) => {
    const inGroup = findJudged(judged, each.context)
    omitted.set(judged.group.key, inGroup.omitted)
    return inGroup.findings
  })
  return { ...each, omitted, findings: [...others, ...found] }
}

interface JudgedGroup {
  readonly group: ChangedGroup
  readonly compared: ComparedGroup
  readonly said: Map<string, JudgeFinding>
  readonly texts: string[]
}

function findJudged({ group, compared, said, texts }: JudgedGroup, context: CompareContext): GroupFindings {
  const verdicts = texts.join('\n')
  if (compared.judged?.verdicts !== verdicts) {
    const found = findInGroup(group, compared, context, (a, b) => said.get(placesOf(a, b)))
    compared.judged = { verdicts, found }
  }
  return compared.judged.found
}

function placesOf(a: PlacedClaim, b: PlacedClaim): string {
  return [claimKey(a), claimKey(b)].toSorted().join('\n')
}

async function noteOpen(
  connection: PoolConnection,
  compared: readonly ComparedScope[],
  hashed: readonly (readonly HashedPair[])[],
  verdicts: readonly Verdicts[],
): Promise<void> {
  const notes = compared.flatMap(({ plan, findings }, index) => {
    const { tenantId, scopeId, seal } = plan.change
    const found = new Set(findings.map(({ finding }) => sentencesOf(finding.a, finding.b)))
    const unknown = (hashed[index] ?? []).filter(
      ({ a, b, pair }) => !verdicts[index]?.has(pair) && !found.has(sentencesOf(a, b)),
    )
    const requests = plan.judging.isWanted ? mostRelevant(plan, unknown).map(toRequest) : []
    return requests.length > 0 ? [{ tenantId, scopeId, epoch: seal.epoch, requests }] : []
  })
  if (notes.length > 0) await recordRequests(connection, notes)
}

/** Identifies a pair by its sentences. If a rule decided on these sentences, the judge is not asked about other claims in them. */
function sentencesOf(a: PlacedClaim, b: PlacedClaim): string {
  return [a, b]
    .map(({ documentId, claim }) => `${claim.span[0]} ${documentId}`)
    .toSorted()
    .join('\n')
}

/** Chooses the most relevant pairs, up to a maximum per new document. If no document is new, one was removed, and its replacements share one maximum. */
function mostRelevant({ claims }: Plan, pairs: readonly HashedPair[]): HashedPair[] {
  const fresh = new Set(claims.map(({ documentId }) => documentId))
  const asked = new Map<string, number>()
  const chosen = new Map<string, HashedPair>()
  for (const pair of pairs.toSorted(byRelevance)) {
    const askers = [pair.a.documentId, pair.b.documentId].filter((id) => fresh.has(id))
    const owners = askers.length > 0 ? askers : ['']
    if (chosen.has(pair.pair) || owners.every((id) => (asked.get(id) ?? 0) >= MAX_QUESTIONS_PER_DOCUMENT))
      continue
    chosen.set(pair.pair, pair)
    for (const id of owners) asked.set(id, (asked.get(id) ?? 0) + 1)
  }
  return [...chosen.values()]
}

function byRelevance(x: HashedPair, y: HashedPair): number {
  if (x.telling !== y.telling) return y.telling - x.telling
  if (x.pair === y.pair) return 0
  return x.pair < y.pair ? -1 : 1
}

function toRequest({ a, b, pair, group }: HashedPair) {
  return { pair, group: group.key, a, b }
}
