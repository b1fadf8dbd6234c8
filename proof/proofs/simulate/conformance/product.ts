/**
 * The functions of the product that the model stands for, loaded from a copy of the repository: this one, or one that
 * was broken on purpose. Only the parts that are used here are described; a difference shows at the first call.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { REPOSITORY } from '../../../harness/command.ts'
import type { SimulationLimits } from '../stage.ts'

/** A pool of connections, opened by the product itself. */
export interface ConformancePool {
  /** Named, and so planned once: planning over all partitions costs more than running. */
  query(statement: {
    readonly name: string
    readonly text: string
    readonly values: readonly unknown[]
  }): Promise<{ readonly rows: readonly unknown[] }>
}

export interface ConformancePools {
  readonly tenant: ConformancePool
  readonly kernel: ConformancePool
  close(): Promise<void>
}

export interface Ticketed {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
}

interface WorkDispatch {
  renewLeases(): Promise<readonly number[]>
  releaseLeases(): Promise<void>
  dispatch(shards: readonly number[]): Promise<number>
  sent(): Promise<void>
  reconcile(shards: readonly number[]): Promise<number>
}

/** A document verb of the product: who asks, in which scope, about which document. */
type Verb = (
  deps: object,
  actor: object,
  scopeId: string,
  documentId: string,
) => Promise<{ readonly seq: number }>

export interface Product extends SimulationLimits {
  openPools(options: object): ConformancePools
  acceptDocuments(
    pool: ConformancePool,
    documents: readonly object[],
  ): Promise<readonly { readonly outcome: string; readonly seq: number }[]>
  startAttempts(
    pool: ConformancePool,
    refs: readonly Ticketed[],
    maxStarts: number,
  ): Promise<readonly { readonly outcome: string; readonly attempt?: number }[]>
  completeAttempts(pool: ConformancePool, results: readonly Ticketed[]): Promise<readonly string[]>
  createWorkDispatch(deps: object): WorkDispatch
  createAuditor(masters: readonly object[]): object
  readonly retryDocument: Verb
  readonly releaseDocument: (
    deps: object,
    actor: object,
    ref: object,
    why: object,
  ) => Promise<{ readonly seq: number }>
  readonly moveRuntime: (
    deps: object,
    target: object,
    op: string,
    who: object,
  ) => Promise<{ readonly changed: boolean }>
  readonly removeDocument: Verb
}

export async function loadLimits(repository = REPOSITORY): Promise<SimulationLimits> {
  const { MAX_ATTEMPTS, MAX_STARTS, retryDelayMs } = (await load(repository, 'domain/retry.ts')) as {
    readonly MAX_ATTEMPTS: number
    readonly MAX_STARTS: number
    readonly retryDelayMs: SimulationLimits['retryDelayMs']
  }
  return { maxAttempts: MAX_ATTEMPTS, maxStarts: MAX_STARTS, retryDelayMs }
}

export async function loadProduct(repository = REPOSITORY): Promise<Product> {
  const files = [
    'store/pools.ts',
    'store/documents/acceptance.ts',
    'store/processing/attempts.ts',
    'app/processing/dispatch.ts',
    'app/documents/documents.ts',
    'app/processing/holds.ts',
    'app/processing/runtime.ts',
    'platform/audit-key.ts',
  ]
  const modules = await Promise.all(files.map((file) => load(repository, file)))
  return Object.assign({}, ...modules, await loadLimits(repository)) as Product
}

async function load(repository: string, file: string): Promise<object> {
  return (await import(pathToFileURL(join(repository, 'service', 'src', file)).href)) as object
}
