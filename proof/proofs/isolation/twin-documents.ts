/**
 * The documents of a twin: ids, idempotency keys and order are the same on both sides, so that only the tenant can tell
 * them apart; names, sources, references and texts carry marks. The texts differ in length as well: how many sentences
 * a reading found tells whose text was read. From one document to the next they state other figures of the same thing, so
 * that there are contradictions to be seen, each with marks of its twin in it.
 */
import { randomBytes } from 'node:crypto'
import type { Service } from './service.ts'

export type Side = 'left' | 'right'

interface TwinIdentity {
  readonly tenantId: string
  readonly key: string
  readonly side: Side
}

/** The scope, held by both twins, in which their documents lie. */
export const DOCUMENT_SCOPE_ID = 'case-1'
/** Ids that both twins use; awkward ones among them, because an id may be any text. */
export const SHARED_DOCUMENT_IDS = ['contract-1', 'contract-2', 'annual report / 2025', 'Größe?'] as const
/** Nobody writes here once the stage is set. In the first the right twin's log is longer, in the second the left's. */
export const QUIET_SCOPE_IDS = ['quiet-1', 'quiet-2'] as const
/** Where nothing is in dispute, so that it can be declared settled. */
export const SETTLED_SCOPE_ID = 'settled'
/** Used by both twins for the first document of each. */
export const SHARED_IDEMPOTENCY_KEY = 'nightly-2026-11-15'
/** The sentences in the texts of each side. */
export const SENTENCES = { left: 2, right: 5 } as const

/** A stopped switch can be neither paused nor resumed, so those who stop have one of their own. */
const SWITCHED = 'switched'
const STOPPED = 'stopped'
/** Emptied any number of times. */
export const EMPTIED_SCOPE_ID = 'emptied'
/** Emptied, deleted and made again by chance. */
export const PASSING_SCOPE_ID = 'passing-scope'

export const EXPENDABLE_SCOPE_IDS = [SWITCHED, STOPPED, EMPTIED_SCOPE_ID, PASSING_SCOPE_ID] as const

const TIERS = ['Runtime', 'TenantRuntime'] as const
const MOVES = ['start', 'pause', 'resume', 'stop', 'restart'] as const

/**
 * The moves of the runtime, each with a scope on which it succeeds however often it is made. Always a scope: the whole
 * service is not to stand still while others want something done.
 */
export const SWITCHED_SCOPES: ReadonlyMap<string, string> = new Map(
  TIERS.flatMap((tier) =>
    MOVES.map((move): [string, string] => [`${move}${tier}`, move === 'stop' ? STOPPED : SWITCHED]),
  ),
)

export function changesScope(operation: string): boolean {
  return operation === 'resetScope' || operation === 'deleteScope'
}

/** A mark that occurs nowhere else; it fits into a scope id, a document id, a name and a search. */
export function freshCanary(): string {
  return `canary${randomBytes(8).toString('hex')}`
}

type Seed = Service['seed']

export async function createDocuments(seed: Seed, twin: TwinIdentity) {
  const canary = {
    name: freshCanary(),
    source: freshCanary(),
    provenance: freshCanary(),
    text: freshCanary(),
  }
  const card = { name: `Contract ${canary.name}`, source: `https://example.org/${canary.source}` }
  const reference = { provenance: `sha256:${canary.provenance}` }
  const textAt = (turn: number) => textOf(twin.side, canary.text, turn)
  const text = textAt(0)
  const ownIds = [`only-${freshCanary()}`, `only-${freshCanary()}`]
  const place = { scope_id: DOCUMENT_SCOPE_ID, ...card }
  for (const [at, document_id] of [...SHARED_DOCUMENT_IDS, ...ownIds].entries())
    await ingest(seed, twin, {
      ...place,
      text: textAt(at),
      document_id,
      ...(at === 0 && { idempotency_key: SHARED_IDEMPOTENCY_KEY }),
    })
  const { document_id: generated } = await ingest(seed, twin, { ...place, text })
  const registered = { ...place, ...reference, document_id: 'registered-1' }
  await seed({ path: '/api/documents', bearer: twin.key, body: registered })
  await seed({
    path: `/admin/scopes/${DOCUMENT_SCOPE_ID}/documents`,
    tenantKey: twin.key,
    body: { ...card, ...reference, text, document_id: 'attached-1' },
  })
  await fillQuietScopes(seed, twin, { ...card, text })
  for (const document_id of ['settled-0', 'settled-1'])
    await ingest(seed, twin, { ...card, text, scope_id: SETTLED_SCOPE_ID, document_id })
  return {
    /** Ids that only this twin has, in the scope of the documents. */
    ownIds: [...ownIds, generated],
    marks: Object.values(canary),
  }
}

async function fillQuietScopes(seed: Seed, twin: TwinIdentity, document: object): Promise<void> {
  for (const [at, scope_id] of QUIET_SCOPE_IDS.entries()) {
    const isLonger = (twin.side === 'right') === (at === 0)
    for (let nth = 0; nth < (isLonger ? 4 : 2); nth += 1)
      await ingest(seed, twin, { ...document, scope_id, document_id: `quiet-${nth}` })
  }
}

function ingest(
  seed: Seed,
  { tenantId, key }: TwinIdentity,
  body: object,
): Promise<{ readonly document_id: string }> {
  return seed({ path: '/api/ingest', bearer: key, tenantId, body })
}

function textOf(side: Side, canary: string, turn: number): string {
  const sentences = Array.from(
    { length: SENTENCES[side] },
    (_, at) => `In ${2020 + at} Borealis ${canary} reported revenue of EUR ${10 * turn + at + 2} million.`,
  )
  return sentences.join(' ')
}

/** Both twins have reported it already, so it is answered with what is there. */
export const REPORTED = {
  scope_id: DOCUMENT_SCOPE_ID,
  claim_a: 'The lease ends in 2031.',
  source_a: 'The lease',
  claim_b: 'The lease ends in 2029.',
  source_b: 'Letter of the landlord',
  severity: 'low',
} as const
