/** That the model is the product: random histories on the pure rules and on the product's statements in real Postgres. */
import { asSuperuser, createDeployment } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'
import { compare } from './conformance/compare.ts'
import { makeHistory } from './conformance/histories.ts'
import { createModelSide } from './conformance/model-side.ts'
import { loadProduct } from './conformance/product.ts'
import { createProductSide } from './conformance/product-side.ts'
import type { ProductDeps } from './conformance/product-side.ts'
import { documentRefOf } from './rules.ts'
import type { Rules } from './rules.ts'

interface ConformanceOptions {
  readonly services: Services
  readonly rules: Rules
  readonly seed: number
  readonly histories: number
  /** Another copy of the repository; this one where nothing is said. */
  readonly repository?: string | undefined
  /** Ends at the first difference. */
  readonly untilDifferent?: boolean
}

export type ConformanceRun = Awaited<ReturnType<typeof conform>>

/** Waits of a history are whole seconds; what it takes itself must stay well below one. */
const MAX_HISTORY_MS = 800

export async function conform(options: ConformanceOptions) {
  return withProduct(options, async (deps) => {
    const answers = new Map<string, number>()
    const differences: (NonNullable<HistoryRun['difference']> & { readonly seed: number })[] = []
    // One is repeated if the machine stood still for so long that real time could have made the difference.
    let [histories, operations, repeated] = [0, 0, 0]
    for (let seed = options.seed; histories < options.histories && repeated <= options.histories; seed += 1) {
      const one = await runHistory(options.rules, deps, seed)
      if (one.ms > MAX_HISTORY_MS) {
        repeated += 1
        continue
      }
      histories += 1
      operations += one.operations
      for (const [name, times] of one.answers) answers.set(name, (answers.get(name) ?? 0) + times)
      if (one.difference) differences.push({ ...one.difference, seed })
      if (one.difference && options.untilDifferent) break
    }
    return { histories, operations, repeated, differences, answers }
  })
}

type HistoryRun = Awaited<ReturnType<typeof runHistory>>

async function runHistory(rules: Rules, deps: ProductDeps, seed: number) {
  const chance = createChance(seed)
  const tenants = Array.from({ length: chance.between(1, 4) }, (_, index) => makeTenantId(chance, index))
  const history = makeHistory(chance, tenants)
  const scopes = tenants.flatMap((tenant) =>
    ['north', 'south'].map((scope) => documentRefOf(tenant, scope, '')),
  )
  const keys = scopes.map(({ scopeKey }) => scopeKey)
  const model = createModelSide(rules, keys)
  const product = await createProductSide(deps, scopes, model.ticketsOf)
  const started = performance.now()
  const comparison = await compare(history, model, product)
  return { ...comparison, operations: history.length, ms: performance.now() - started }
}

/** The last byte decides the shard, so it is the seed's to choose. */
function makeTenantId(chance: Chance, index: number): string {
  const tail = [index, chance.between(0, 255)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `00000000-0000-4000-8000-00000000${tail}`
}

async function withProduct<Result>(
  { services, repository }: ConformanceOptions,
  work: (deps: ProductDeps) => Promise<Result>,
): Promise<Result> {
  const name = `simulate_${process.pid}`
  const deployment = await createDeployment({ services, name, ...(repository && { repository }) })
  const product = await loadProduct(repository)
  const open = (role: 'api' | 'worker' | 'superuser') =>
    product.openPools({ url: services.postgres.url(role, name), size: 1, log: SILENT })
  const [api, worker, superuser] = [open('api'), open('worker'), open('superuser')]
  try {
    await deployment.migrate()
    // Nothing here is about surviving a power cut, and a sync for each of many small commits would be most of the time.
    await asSuperuser(services, (client) =>
      client.query(`alter database ${name} set synchronous_commit = off`),
    )
    await takeScalesOff(services, name)
    return await work({ product, api, worker, superuser: superuser.tenant })
  } finally {
    await Promise.all([api.close(), worker.close(), superuser.close()])
    await deployment.remove()
  }
}

/** How settled a scope is tells events of its own, which are no part of this model: `prove convergence` is about them. */
async function takeScalesOff(services: Services, name: string): Promise<void> {
  const statement = 'alter table documents disable trigger note_new, disable trigger note_changed'
  await asSuperuser(services, (client) => client.query(statement), name)
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
