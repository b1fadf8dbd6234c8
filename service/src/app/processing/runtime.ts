/**
 * Pauses, resumes and stops processing with the runtime switches. The response is a barrier: it is sent after the commit, and
 * the statement that starts attempts reads the switches under the same locks.
 */
import type { AuditActor } from '../../domain/audit.ts'
import { Fault } from '../../domain/fault.ts'
import { decideMove, strictest } from '../../domain/runtime.ts'
import type { RuntimeMove, RuntimeOp, RuntimeState, RuntimeTarget } from '../../domain/runtime.ts'
import type { PoolConnection, Pools } from '../../store/pools.ts'
import * as store from '../../store/processing/runtime.ts'
import type { SwitchRow } from '../../store/processing/runtime.ts'
import { appendEvents, lockScopeHead } from '../../store/scopes/scope-log.ts'
import { enterTenant, inService, inTenant, inTenantScope } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { requireNotErasing } from '../scopes/required-scope.ts'

export interface RuntimeDeps {
  readonly pools: Pools
  readonly auditor: Auditor
  /** Called after the commit of a move that changed something. */
  readonly announceRuntime: (target: RuntimeTarget, restarted: boolean) => void
}

export interface RuntimeRecord extends SwitchRow {
  readonly level: RuntimeTarget['level']
  readonly tenantId: string | null
  readonly scopeId: string | null
  readonly effectiveState: RuntimeState
  readonly changed: boolean
  readonly inFlight: number
}

interface Moved {
  readonly row: SwitchRow
  /** The state of the switches above. */
  readonly above: RuntimeState
  readonly move: RuntimeMove
}

export async function moveRuntime(
  deps: RuntimeDeps,
  target: RuntimeTarget,
  op: RuntimeOp,
  who: AuditActor,
): Promise<RuntimeRecord> {
  const { row, above, move } = await moveSwitch(deps, target, op, who)
  if (move.changed) deps.announceRuntime(target, move.restarts)
  return recordOf(deps, target, row, above, move.changed)
}

export async function getRuntime(deps: RuntimeDeps, target: RuntimeTarget): Promise<RuntimeRecord> {
  const { row, above } = await readSwitch(deps, target)
  return recordOf(deps, target, row, above, false)
}

function moveSwitch(
  deps: RuntimeDeps,
  target: RuntimeTarget,
  op: RuntimeOp,
  who: AuditActor,
): Promise<Moved> {
  switch (target.level) {
    case 'service':
      return moveService(deps, op, who)
    case 'tenant':
      return moveTenant(deps, target, op, who)
    case 'scope':
      return moveScope(deps, target, op, who)
  }
}

function moveService({ pools, auditor }: RuntimeDeps, op: RuntimeOp, who: AuditActor): Promise<Moved> {
  return inService(pools.control, async (connection) => {
    await store.holdServiceSwitch(connection)
    const before = await store.selectServiceSwitch(connection)
    const move = requireMove(before.state, op)
    const row = move.changed
      ? await store.updateServiceSwitch(connection, { ...move, actor: who.actor })
      : before
    await recordMove(connection, auditor, who, { level: 'service' }, op, row, move)
    if (!move.changed) return { row, above: 'running', move }
    await store.appendKernelEvent(connection, {
      kind: 'runtime.changed',
      subject: 'service',
      data: { ...NO_PLACE, ...toEventData('service', row, 'running') },
    })
    if (move.takesBack)
      // No attempt can start while the switch is locked, so this finds all work in flight.
      for (const tenantId of await store.selectTenantsInFlight(pools.kernel))
        // oxlint-disable-next-line no-await-in-loop -- one after the other, in the order of locks
        await store.takeBackWork(await enterTenant(connection, tenantId), null)
    return { row, above: 'running', move }
  })
}

function moveTenant(
  { pools, auditor }: RuntimeDeps,
  target: RuntimeTarget & { level: 'tenant' },
  op: RuntimeOp,
  who: AuditActor,
): Promise<Moved> {
  return inTenant(pools.control, target.tenantId, async (transaction) => {
    await store.holdTenantSwitch(transaction)
    const above = (await store.selectServiceSwitch(transaction.connection)).state
    const before = await store.selectTenantSwitch(transaction)
    const move = requireMove(before.state, op)
    const row = move.changed
      ? await store.updateTenantSwitch(transaction, { ...move, actor: who.actor })
      : before
    await recordMove(transaction.connection, auditor, who, target, op, row, move)
    if (!move.changed) return { row, above, move }
    await store.appendKernelEvent(transaction.connection, {
      kind: 'runtime.changed',
      subject: target.tenantId,
      data: { ...NO_PLACE, tenant_id: target.tenantId, ...toEventData('tenant', row, above) },
    })
    if (move.takesBack) await store.takeBackWork(transaction, null)
    return { row, above, move }
  })
}

function moveScope(
  { pools, auditor }: RuntimeDeps,
  target: RuntimeTarget & { level: 'scope' },
  op: RuntimeOp,
  who: AuditActor,
): Promise<Moved> {
  const { tenantId, scopeId } = target
  return inTenantScope(pools.control, { tenantId, scopeId }, async (transaction) => {
    const head = await lockScopeHead(transaction, scopeId)
    const before = head && (await store.selectScopeSwitch(transaction, scopeId))
    if (!head || !before) throw new Fault('scope_not_found')
    requireNotErasing(head)
    const above = await stateAboveScope(transaction)
    const move = requireMove(before.state, op)
    const row = move.changed
      ? await store.updateScopeSwitch(transaction, scopeId, { ...move, actor: who.actor })
      : before
    await recordMove(transaction.connection, auditor, who, target, op, row, move)
    if (!move.changed) return { row, above, move }
    await appendEvents(transaction, head, [
      { kind: 'runtime.changed', documentId: null, version: null, data: toEventData('scope', row, above) },
    ])
    if (move.takesBack) await store.takeBackWork(transaction, scopeId)
    return { row, above, move }
  })
}

function requireMove(state: RuntimeState, op: RuntimeOp): RuntimeMove {
  const move = decideMove(state, op)
  if (!move) throw new Fault('illegal_transition', { internal: `${op} while ${state}` })
  return move
}

/** Records every move in the audit log, including those that change nothing. */
async function recordMove(
  connection: PoolConnection,
  auditor: Auditor,
  who: AuditActor,
  target: RuntimeTarget,
  op: RuntimeOp,
  { state, generation }: SwitchRow,
  { changed }: RuntimeMove,
): Promise<void> {
  const tenantId = target.level === 'service' ? null : target.tenantId
  const scopeId = target.level === 'scope' ? target.scopeId : null
  const details = { level: target.level, op, state, generation, changed }
  await recordAudit(connection, auditor, [{ action: 'runtime.changed', who, tenantId, scopeId, details }])
}

function toEventData(level: RuntimeTarget['level'], { state, generation }: SwitchRow, above: RuntimeState) {
  return { level, state, effective_state: strictest(above, state), generation }
}

/** A move of the service or of a tenant has no position in the log of a scope. */
const NO_PLACE = { tenant_id: null, scope_id: null, epoch: null, seq: null }

async function stateAboveScope(transaction: TenantTransaction): Promise<RuntimeState> {
  const service = await store.selectServiceSwitch(transaction.connection)
  const tenant = await store.selectTenantSwitch(transaction)
  return strictest(service.state, tenant.state)
}

function readSwitch(
  { pools }: RuntimeDeps,
  target: RuntimeTarget,
): Promise<{ row: SwitchRow; above: RuntimeState }> {
  if (target.level === 'service')
    return inService(pools.control, async (connection) => ({
      row: await store.selectServiceSwitch(connection),
      above: 'running',
    }))
  return inTenant(pools.control, target.tenantId, async (transaction) => {
    if (target.level === 'tenant')
      return {
        row: await store.selectTenantSwitch(transaction),
        above: (await store.selectServiceSwitch(transaction.connection)).state,
      }
    const row = await store.selectScopeSwitch(transaction, target.scopeId)
    if (!row) throw new Fault('scope_not_found')
    return { row, above: await stateAboveScope(transaction) }
  })
}

async function recordOf(
  { pools }: RuntimeDeps,
  target: RuntimeTarget,
  row: SwitchRow,
  above: RuntimeState,
  changed: boolean,
): Promise<RuntimeRecord> {
  const tenantId = target.level === 'service' ? null : target.tenantId
  const scopeId = target.level === 'scope' ? target.scopeId : null
  return {
    ...row,
    level: target.level,
    tenantId,
    scopeId,
    effectiveState: strictest(above, row.state),
    changed,
    inFlight: await store.countInFlight(pools.kernel, tenantId, scopeId),
  }
}
