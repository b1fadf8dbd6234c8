/** Fills the log: the moves, resets and scopes of `prove control`, and keys that come and go on both sides. */
import * as fc from 'fast-check'
import { createCaller } from '../../harness/control/caller.ts'
import type { ControlTenant } from '../../harness/control/caller.ts'
import {
  commands,
  createStage,
  deleteScopes,
  openScopes,
  play,
  tour,
} from '../../harness/control/commands.ts'
import type { Command, ControlStage } from '../../harness/control/commands.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { requestJson } from '../../harness/http.ts'
import { idOfKey, keyIssued, keyRevoked, keyRotated, tenantCreated, watchCaller } from './actions.ts'
import type { Action } from './actions.ts'

const TENANTS = 2
/** This many turn keys at the same time, on all processes; a tenant may have 20 live keys. */
const LANES = 8

export interface HistoryOptions {
  readonly seed: number
  readonly sequences: number
  readonly keys: number
  /** Called in the middle of it. */
  readonly halfway: () => Promise<void>
}

/** Returns the actions that were made, in no particular order, and the answers that were not as the model says. */
export async function makeHistory(fleet: Fleet, options: HistoryOptions) {
  const made: Action[] = []
  const admin = await createRoot(fleet, 'admin', made)
  const internals = await createRoot(fleet, 'internals', made)
  const caller = await createCaller(fleet, TENANTS, { admin, internals })
  for (const { tenantId, key } of caller.tenants)
    made.push(tenantCreated(tenantId), keyIssued(tenantId, idOfKey(key)))
  const stage = createStage(watchCaller(caller, made))
  const divergences = await playAll(stage, [tour()], 0)
  await options.halfway()
  const sequences = fc.sample(commands, { seed: options.seed, numRuns: options.sequences })
  const [more] = await Promise.all([
    playAll(stage, sequences, 1),
    turnKeys(fleet, admin, caller.tenants, options.keys, made),
    turnRootKey(fleet, made),
  ])
  return { made, divergences: [...divergences, ...more], internals }
}

async function playAll(
  stage: ControlStage,
  sequences: readonly Command[][],
  offset: number,
): Promise<string[]> {
  const divergences: string[] = []
  for (const [index, sequence] of sequences.entries()) {
    await openScopes(stage, index + offset)
    for (const command of sequence) divergences.push(...(await play(stage, command)))
    await deleteScopes(stage)
  }
  return divergences
}

async function turnKeys(
  fleet: Fleet,
  admin: string,
  tenants: readonly ControlTenant[],
  count: number,
  made: Action[],
): Promise<void> {
  const post = async (nth: number, path: string, body: object) => {
    const urls = fleet.urls()
    const request = { path: `/admin/tenants/${path}`, bearer: admin, body }
    return (await requestJson<{ key_id: string }>(urls[nth % urls.length] ?? '', request)).key_id
  }
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let nth = lane; nth < count; nth += LANES) {
      const tenantId = tenants[nth % tenants.length]?.tenantId ?? ''
      const keyId = await post(nth, `${tenantId}/keys`, {})
      made.push(keyIssued(tenantId, keyId))
      const next = await post(nth + 1, `${tenantId}/keys/${keyId}/rotate`, { overlap_seconds: 0 })
      made.push(keyRotated(tenantId, keyId, next))
      await post(nth, `${tenantId}/keys/${next}/revoke`, {})
      made.push(keyRevoked(tenantId, next))
    }
  })
  await Promise.all(lanes)
}

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
