/**
 * The functions of the product that the model stands for, loaded from a copy of the repository: this one, or one that
 * was broken on purpose. Only the parts that are used here are described; a difference shows at the first call.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Limits } from '../stage.ts'

/** A pool of connections, opened by the product itself. */
export interface Pool {
  /** Named, and so planned once: planning over all partitions costs more than running. */
  query(statement: {
    readonly name: string
    readonly text: string
    readonly values?: readonly unknown[]
  }): Promise<{ readonly rows: readonly unknown[] }>
}

export interface Pools {
  readonly tenant: Pool
  readonly kernel: Pool
  close(): Promise<void>
}

export interface Ticketed {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
}

export interface Result extends Ticketed {
  readonly attempt: number
  readonly verdict: string
  readonly reason: string | null
  readonly reading: { readonly passages: number; readonly sentences: number; readonly sealed: Buffer } | null
}

export interface NewDocument {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly documentId: string
  readonly type: string
  readonly characters: number
  readonly fingerprint: Buffer
  readonly idempotency: null
  readonly sealedCard: Buffer
  readonly sealedText: Buffer
}

export interface Queue {
  isReachable(): boolean
  inspect(): Promise<{ readonly ageMs: number; readonly held: number }>
  publish(notes: readonly Ticketed[]): Promise<number>
}

export interface Releasing {
  renewLeases(): Promise<readonly number[]>
  giveUpLeases(): Promise<void>
  release(shards: readonly number[]): Promise<number>
  sent(): Promise<void>
  reconcile(shards: readonly number[]): Promise<number>
}

type Log = Readonly<Record<'info' | 'warn' | 'error', () => void>>
/** A document verb of the product: who asks, in which scope, about which document. */
type Verb = (
  deps: object,
  who: { readonly tenantId: string; readonly tier: string; readonly actor: string },
  scopeId: string,
  documentId: string,
) => Promise<{ readonly seq: number }>

export interface Product extends Limits {
  openPools(options: { readonly url: string; readonly size: number; readonly log: Log }): Pools
  acceptDocuments(
    pool: Pool,
    documents: readonly NewDocument[],
  ): Promise<readonly { readonly outcome: string; readonly seq: number }[]>
  claimAttempts(
    pool: Pool,
    places: readonly Ticketed[],
    maxBegun: number,
  ): Promise<readonly { readonly outcome: string; readonly attempt?: number }[]>
  settleAttempts(pool: Pool, results: readonly Result[]): Promise<readonly string[]>
  createReleasing(deps: {
    readonly kernel: Pool
    readonly queue: Queue
    readonly holder: string
    readonly leaseSeconds: number
    readonly window: number
    readonly express: number
  }): Releasing
  createAuditor(masters: readonly { readonly id: string; readonly bytes: Buffer }[]): object
  readonly retryDocument: Verb
  readonly removeDocument: Verb
}

const REPOSITORY = join(import.meta.dirname, '..', '..', '..', '..')

export async function loadLimits(repository = REPOSITORY): Promise<Limits> {
  const { MAX_ATTEMPTS, MAX_BEGUN, retryDelayMs } = (await load(repository, 'domain/retry.ts')) as {
    readonly MAX_ATTEMPTS: number
    readonly MAX_BEGUN: number
    readonly retryDelayMs: Limits['retryDelayMs']
  }
  return { maxAttempts: MAX_ATTEMPTS, maxBegun: MAX_BEGUN, retryDelayMs }
}

export async function loadProduct(repository = REPOSITORY): Promise<Product> {
  const files = [
    'store/pools.ts',
    'store/accepting.ts',
    'store/attempts.ts',
    'app/releasing.ts',
    'app/documents.ts',
    'platform/audit-key.ts',
  ]
  const modules = await Promise.all(files.map((file) => load(repository, file)))
  return Object.assign({}, ...modules, await loadLimits(repository)) as Product
}

async function load(repository: string, file: string): Promise<object> {
  return (await import(pathToFileURL(join(repository, 'service', 'src', file)).href)) as object
}
