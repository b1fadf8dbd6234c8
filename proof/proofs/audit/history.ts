/** What fills the log: the moves, resets and scopes of `prove control`, and keys that come and go on both sides. */
import * as fc from 'fast-check'
import { createCaller } from '../../harness/control/caller.ts'
import type { Tenant } from '../../harness/control/caller.ts'
import { commands, play, tour } from '../../harness/control/commands.ts'
import type { Command, Stage } from '../../harness/control/commands.ts'
import { newModel, newScope } from '../../harness/control/model.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { idOfKey, keyIssued, keyRevoked, keyRotated, tenantMade, watchCaller } from './actions.ts'
import type { Action } from './actions.ts'

const TENANTS = 2
const SCOPES = 2

export interface History {
  /** In no particular order. */
  readonly made: readonly Action[]
  readonly divergences: readonly string[]
  /** Tells the health of the kernel. */
  readonly internals: string
}

export interface HistoryOptions {
  readonly seed: number
  readonly sequences: number
  readonly keys: number
  /** Called in the middle of it. */
  readonly halfway: () => Promise<void>
}

export async function makeHistory(fleet: Fleet, options: HistoryOptions): Promise<History> {
  const made: Action[] = []
  const admin = await createRoot(fleet, 'admin', made)
  const internals = await createRoot(fleet, 'internals', made)
  const caller = await createCaller(fleet, TENANTS, { admin, internals })
  for (const { tenantId, key } of caller.tenants) made.push(...tenantMade(tenantId, key))
  let documents = 0
  const stage: Stage = {
    model: newModel(TENANTS),
    caller: watchCaller(caller, made),
    tenantIds: caller.tenants.map(({ tenantId }) => tenantId),
    moves: new Set(),
    next: () => (documents += 1),
  }
  const [first, ...others] = [
    tour(),
    ...fc.sample(commands, { seed: options.seed, numRuns: options.sequences }),
  ]
  const divergences = await playAll(stage, first ? [first] : [], 0)
  await options.halfway()
  const [more] = await Promise.all([
    playAll(stage, others, 1),
    turnKeys(fleet, admin, caller.tenants, options.keys, made),
    turnRootKey(fleet, made),
  ])
  return { made, divergences: [...divergences, ...more], internals }
}

async function playAll(
  stage: Stage,
  sequences: readonly (readonly Command[])[],
  offset: number,
): Promise<string[]> {
  const divergences: string[] = []
  for (const [index, sequence] of sequences.entries()) {
    const number = index + offset
    for (const [tenant, model] of stage.model.tenants.entries()) {
      model.scopes = Array.from({ length: SCOPES }, (_, scope) => newScope(`s${number}-${scope}`))
      for (const { scopeId } of model.scopes)
        await stage.caller.createScope({ api: number % 2, tenant, scopeId })
    }
    for (const command of sequence) divergences.push(...(await play(stage, command)))
    for (const [tenant, { scopes }] of stage.model.tenants.entries())
      for (const { scopeId } of scopes) await stage.caller.deleteScope({ api: tenant, tenant, scopeId })
  }
  return divergences
}

async function turnKeys(
  fleet: Fleet,
  admin: string,
  tenants: readonly Tenant[],
  count: number,
  made: Action[],
): Promise<void> {
  const post = async (nth: number, path: string, body: object) => {
    const urls = fleet.urls()
    const answer = await fetch(`${urls[nth % urls.length] ?? ''}/admin/tenants/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Readonly<Record<string, string>>
  }
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let nth = lane; nth < count; nth += LANES) {
      const tenantId = tenants[nth % tenants.length]?.tenantId ?? ''
      const { key_id: keyId = '' } = await post(nth, `${tenantId}/keys`, {})
      made.push(keyIssued(tenantId, keyId))
      const { key_id: next = '' } = await post(nth + 1, `${tenantId}/keys/${keyId}/rotate`, {
        overlap_seconds: 0,
      })
      made.push(keyRotated(tenantId, keyId, next))
      await post(nth, `${tenantId}/keys/${next}/revoke`, {})
      made.push(keyRevoked(tenantId, next))
    }
  })
  await Promise.all(lanes)
}

/** At once, on all processes; a tenant may have 20 live keys. */
const LANES = 8

async function createRoot(fleet: Fleet, tier: 'admin' | 'internals', made: Action[]): Promise<string> {
  const { api_key: key } = await fleet.deployment.concord<{ api_key: string }>(
    'keys',
    'create',
    '--tier',
    tier,
  )
  made.push(keyIssued(null, idOfKey(key)))
  return key
}

/** By command. */
async function turnRootKey({ deployment }: Fleet, made: Action[]): Promise<void> {
  const keys = (...args: string[]) => deployment.concord<{ key_id: string }>('keys', ...args)
  const { key_id: keyId } = await keys('create', '--tier', 'admin')
  made.push(keyIssued(null, keyId))
  const { key_id: next } = await keys('rotate', keyId)
  made.push(keyRotated(null, keyId, next))
  await keys('revoke', next)
  made.push(keyRevoked(null, next))
}
