/** The product's own statements on real Postgres as the other side of a comparison. */
import type { DocumentRef } from '../rules.ts'
import { LEASE_SECONDS, MAX_STARTS, REASON, SETTLING_SECONDS, WINDOW } from './pair.ts'
import type { Holder, Requests, ConformanceSide, Try } from './pair.ts'
import type { ConformancePool, ConformancePools, Product, Ticketed } from './product.ts'
import { createStatements } from './statements.ts'

export interface ProductDeps {
  readonly product: Product
  readonly api: ConformancePools
  readonly worker: ConformancePools
  /** Past row-level security: to prepare, to age and to look. */
  readonly superuser: ConformancePool
}

/** An empty backlog, and scopes of these tenants that nobody has used before. */
export async function createProductSide(
  deps: ProductDeps,
  scopes: readonly DocumentRef[],
  ticketsOf: (key: string) => readonly number[],
): Promise<ConformanceSide> {
  const { product, api, worker, superuser } = deps
  const statements = createStatements(superuser)
  await statements.clear(scopes)
  const tickets = new Map<string, string>()
  const broker = createStubQueue()
  const dispatch = { one: createHolder(deps, broker, 'one'), two: createHolder(deps, broker, 'two') }
  const wait = async (seconds: number) => {
    await statements.passTime(seconds)
    broker.passTime(seconds)
  }
  const asTicketed = ({ ref, ticket }: Try): Ticketed => ({
    ...idsOf(ref),
    ticket: tickets.get(`${ref.key} ${ticket}`) ?? String(1_000_000_000 + ticket),
  })
  const act = async (name: 'retryDocument' | 'removeDocument', ref: DocumentRef) =>
    callVerb(deps, name, ref, await statements.selectEpoch(ref))
  return {
    async accept(texts) {
      const documents = texts.map(({ ref, epoch, fingerprint }) => ({
        ...idsOf(ref),
        epoch,
        ...CONTENT,
        fingerprint: Buffer.from(fingerprint),
      }))
      const answers = await product.acceptDocuments(api.tenant, documents)
      return answers.map(({ outcome, seq }) => `${outcome} ${seq}`)
    },
    async start(tries) {
      const answers = await product.startAttempts(worker.tenant, tries.map(asTicketed), MAX_STARTS)
      return answers.map(({ outcome, attempt }) => (outcome === 'claimed' ? `claimed ${attempt}` : outcome))
    },
    async complete(results) {
      const written = results.map((each) => {
        const [reason, reading] = each.verdict === 'processed' ? [null, READING] : [REASON, null]
        return { ...asTicketed(each), attempt: each.attempt, verdict: each.verdict, reason, reading }
      })
      return product.completeAttempts(worker.tenant, written)
    },
    retry: ({ ref }) => act('retryDocument', ref),
    releaseHeld: async ({ ref }) => letPass(deps, ref, await statements.selectEpoch(ref)),
    moveSwitch: (request) => moveSwitch(deps, request),
    remove: ({ ref }) => act('removeDocument', ref),
    reset: ({ ref }) => statements.reset(ref),
    raiseEpoch: ({ ref }) => statements.raiseEpoch(ref),
    renewLeases: async ({ holder }) =>
      [...(await dispatch[holder].renewLeases())].toSorted((a, b) => a - b).join(),
    releaseLeases: ({ holder }) => dispatch[holder].releaseLeases(),
    freeShard: ({ shard }) => statements.freeShard(shard),
    async dispatch({ holder, shards }) {
      await dispatch[holder].dispatch(shards)
      await dispatch[holder].sent()
      const keys = broker.takePublished().map((note) => {
        const key = `${note.tenantId} ${note.scopeId} ${note.documentId}`
        tickets.set(`${key} ${ticketsOf(key).at(-1)}`, note.ticket)
        return key
      })
      return keys.toSorted()
    },
    async reconcile({ holder, shards, held }) {
      broker.hold(held)
      return `${await dispatch[holder].reconcile(shards)} recalled`
    },
    async wipe() {
      await wait(SETTLING_SECONDS)
      broker.wipe()
      await wait(SETTLING_SECONDS)
    },
    wait: ({ seconds }) => wait(seconds),
    picture: () => statements.picture(new Map([...tickets].map(([name, ticket]) => [ticket, name]))),
  }
}

const idsOf = ({ tenant, scope, document }: DocumentRef) => ({
  tenantId: tenant,
  scopeId: scope,
  documentId: document,
})

const CONTENT = {
  type: 'txt',
  characters: 4,
  idempotency: null,
  sealedCard: Buffer.from('card'),
  sealedLayout: null,
  sealedText: Buffer.from('text'),
}
const MASTER_KEY = { id: 'simulate', bytes: Buffer.alloc(32) }
const READING = { passages: 1, sentences: 1, sealed: Buffer.from('reading') }

const ignore = () => undefined

/** The document verbs of the product lock the head and compare the epoch of the seal with it. */
function depsOf({ product, api }: ProductDeps, epoch = 0) {
  const seals = {
    get: async () => ({ epoch, seal: () => Buffer.from('sealed') }),
    forget: () => undefined,
  }
  return {
    pools: api,
    seals,
    auditor: product.createAuditor([MASTER_KEY]),
    announceEvents: ignore,
    announceRuntime: ignore,
  }
}

const actorOf = ({ tenant }: Pick<DocumentRef, 'tenant'>) => ({
  tenantId: tenant,
  tier: 'tenant',
  actor: 'simulate',
})

async function callVerb(
  deps: ProductDeps,
  name: 'retryDocument' | 'removeDocument',
  ref: DocumentRef,
  epoch: number,
): Promise<string> {
  const outcome = name === 'retryDocument' ? 'queued' : 'removed'
  return answered(outcome, async () =>
    deps.product[name](depsOf(deps, epoch), actorOf(ref), ref.scope, ref.document),
  )
}

async function letPass(deps: ProductDeps, ref: DocumentRef, epoch: number): Promise<string> {
  const { scopeId, documentId } = idsOf(ref)
  const why = { by: 'simulate', reason: 'seen' }
  return answered('queued', async () =>
    deps.product.releaseDocument(depsOf(deps, epoch), actorOf(ref), { scopeId, documentId }, why),
  )
}

async function answered(outcome: string, verb: () => Promise<{ readonly seq: number }>): Promise<string> {
  try {
    return `${outcome} ${(await verb()).seq}`
  } catch (error) {
    return `${codeOf(error)} 0`
  }
}

async function moveSwitch(deps: ProductDeps, { of, op }: Requests['moveSwitch']): Promise<string> {
  const scopeId = of.scopeKey?.slice(`${of.tenant} `.length)
  const level = of.tenant === null ? 'service' : scopeId === undefined ? 'tenant' : 'scope'
  const who = { tier: 'internals', actor: 'simulate', tenantId: null }
  try {
    const target = { level, tenantId: of.tenant, scopeId }
    const { changed } = await deps.product.moveRuntime(depsOf(deps), target, op, who)
    return changed ? 'moved' : 'unmoved'
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function createHolder({ product, worker }: ProductDeps, queue: object, holder: Holder) {
  return product.createWorkDispatch({
    kernel: worker.kernel,
    queue,
    holder,
    leaseSeconds: LEASE_SECONDS,
    window: WINDOW,
    // The value in force. In a window this small it keeps no room for itself, so the model dispatches the same documents.
    priority: 4,
  })
}

/** Stands for the broker: it holds what the history says. */
function createStubQueue() {
  let [madeAt, held] = [performance.now() - SETTLING_SECONDS * 1000, 0]
  const published: Ticketed[] = []
  return {
    isReachable: () => true,
    inspect: async () => ({ ageMs: performance.now() - madeAt, held }),
    publish: async (notes: readonly Ticketed[]) => published.push(...notes),
    /** All that was published since the last time. */
    takePublished: () => published.splice(0),
    hold: (value: number) => void (held = value),
    wipe: () => void (madeAt = performance.now()),
    passTime: (seconds: number) => void (madeAt -= seconds * 1000),
  }
}
