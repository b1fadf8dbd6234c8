/** The product's own statements on real Postgres as the other side of a comparison. */
import type { Place } from '../store.ts'
import { WINDOW } from './histories.ts'
import type { Holder } from './histories.ts'
import { LEASE_SECONDS, MAX_BEGUN, REASON, SETTLING_SECONDS } from './pair.ts'
import type { Side, Try } from './pair.ts'
import type { Pool, Pools, Product, Releasing, Ticketed } from './product.ts'
import { clear, freeShard, passTime, pictureOf, raise, resetScope, selectEpoch } from './statements.ts'

export interface ProductDeps {
  readonly product: Product
  readonly api: Pools
  readonly worker: Pools
  /** Past row-level security: to prepare, to age and to look. */
  readonly superuser: Pool
}

/** An empty backlog, and scopes of these tenants that nobody has used before. */
export async function createProductSide(
  deps: ProductDeps,
  scopes: readonly Place[],
  ticketsOf: (key: string) => readonly number[],
): Promise<Side> {
  const { product, api, worker, superuser } = deps
  await clear(superuser, scopes)
  const tickets = new Map<string, string>()
  const broker = createStubQueue()
  const releasing = createHolders(deps, broker)
  const wait = async (seconds: number) => {
    await passTime(superuser, seconds)
    broker.passTime(seconds)
  }
  const asTicketed = ({ place, ticket }: Try): Ticketed => ({
    tenantId: place.tenant,
    scopeId: place.scope,
    documentId: place.document,
    ticket: tickets.get(`${place.key} ${ticket}`) ?? String(1_000_000_000 + ticket),
  })
  return {
    async accept(texts) {
      const documents = texts.map(({ place, epoch, fingerprint }) => ({
        tenantId: place.tenant,
        scopeId: place.scope,
        epoch,
        documentId: place.document,
        ...CONTENT,
        fingerprint: Buffer.from(fingerprint),
      }))
      const answers = await product.acceptDocuments(api.tenant, documents)
      return answers.map(({ outcome, seq }) => `${outcome} ${seq}`)
    },
    async claim(tries) {
      const answers = await product.claimAttempts(worker.tenant, tries.map(asTicketed), MAX_BEGUN)
      return answers.map(({ outcome, attempt }) => (outcome === 'claimed' ? `claimed ${attempt}` : outcome))
    },
    settle: (results) =>
      product.settleAttempts(
        worker.tenant,
        results.map((each) => ({
          ...asTicketed(each),
          attempt: each.attempt,
          verdict: each.verdict,
          reason: each.verdict === 'processed' ? null : REASON,
          reading: each.verdict === 'processed' ? READING : null,
        })),
      ),
    retry: (place) => verb(deps, 'retryDocument', 'queued', place),
    remove: (place) => verb(deps, 'removeDocument', 'removed', place),
    reset: (place) => resetScope(superuser, place),
    raiseEpoch: (place) => raise(superuser, place),
    renewLeases: async (holder) =>
      [...(await releasing(holder).renewLeases())].toSorted((a, b) => a - b).join(),
    giveUpLeases: (holder) => releasing(holder).giveUpLeases(),
    freeShard: (shard) => freeShard(superuser, shard),
    async release(holder, shards) {
      await releasing(holder).release(shards)
      await releasing(holder).sent()
      const keys = broker.taken().map((note) => {
        const key = `${note.tenantId} ${note.scopeId} ${note.documentId}`
        tickets.set(`${key} ${ticketsOf(key).at(-1)}`, note.ticket)
        return key
      })
      return keys.toSorted()
    },
    async reconcile(holder, shards, held) {
      broker.holds(held)
      return `${await releasing(holder).reconcile(shards)} recalled`
    },
    async wipe() {
      await wait(SETTLING_SECONDS)
      broker.wipe()
      await wait(SETTLING_SECONDS)
    },
    wait,
    picture: () => pictureOf(superuser, new Map([...tickets].map(([name, ticket]) => [ticket, name]))),
  }
}

const CONTENT = {
  type: 'txt',
  characters: 4,
  idempotency: null,
  sealedCard: Buffer.from('card'),
  sealedText: Buffer.from('text'),
}
const MASTER_KEY = { id: 'simulate', bytes: Buffer.alloc(32) }
const READING = { passages: 1, sentences: 1, sealed: Buffer.from('reading') }

/** The document verbs of the product lock the head and compare the epoch of the seal with it. */
async function verb(
  { product, api, superuser }: ProductDeps,
  name: 'retryDocument' | 'removeDocument',
  done: string,
  place: Place,
): Promise<string> {
  const epoch = await selectEpoch(superuser, place)
  const seals = { get: async () => ({ epoch }), forget: () => undefined }
  const auditor = product.createAuditor([MASTER_KEY])
  const deps = { pools: api, seals, auditor, announceEvents: () => undefined }
  try {
    const who = { tenantId: place.tenant, tier: 'tenant', actor: 'simulate' }
    const { seq } = await product[name](deps, who, place.scope, place.document)
    return `${done} ${seq}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `${code} 0`
  }
}

function createHolders({ product, worker }: ProductDeps, queue: StubQueue): (holder: Holder) => Releasing {
  const make = (holder: Holder) =>
    product.createReleasing({
      kernel: worker.kernel,
      queue,
      holder,
      leaseSeconds: LEASE_SECONDS,
      window: WINDOW,
      // As in force. In a window this small it keeps no room for itself, so who is released is what the model says.
      express: 4,
    })
  const holders = { one: make('one'), two: make('two') }
  return (holder) => holders[holder]
}

interface StubQueue {
  isReachable(): boolean
  inspect(): Promise<{ readonly ageMs: number; readonly held: number }>
  publish(notes: readonly Ticketed[]): Promise<number>
  /** What was published since the last time. */
  taken(): readonly Ticketed[]
  holds(held: number): void
  wipe(): void
  passTime(seconds: number): void
}

/** Stands for the broker: what it holds is what the history says. */
function createStubQueue(): StubQueue {
  let [madeAt, held] = [performance.now() - SETTLING_SECONDS * 1000, 0]
  let notes: readonly Ticketed[] = []
  return {
    isReachable: () => true,
    inspect: async () => ({ ageMs: performance.now() - madeAt, held }),
    async publish(released) {
      notes = released
      return released.length
    },
    taken() {
      const taken = notes
      notes = []
      return taken
    },
    holds: (value) => void (held = value),
    wipe: () => void (madeAt = performance.now()),
    passTime: (seconds) => void (madeAt -= seconds * 1000),
  }
}
