/** Checks on leases and on dispatch. */
import { SHARDS } from '../rules.ts'
import type { Tables, WorkRow } from '../rules.ts'
import { keepSwitchBook } from './switches.ts'
import { stillHeld } from './step.ts'
import type { StepCheck, CheckDeps, DispatchStep, Step } from './step.ts'

/** A shard goes to somebody else only after its lease has ended or was given up or freed. */
export function leaseCheck({ meet }: CheckDeps): StepCheck {
  const granted = new Map<number, { readonly holder: string; readonly until: number }>()
  return (step) => {
    if (step.kind === 'releaseLeases') {
      for (const [shard, { holder }] of granted) if (holder === step.what.holder) granted.delete(shard)
      return false
    }
    if (step.kind === 'freeShard') granted.delete(step.what.shard)
    if (step.kind !== 'renewLeases') return false
    const { holder, ms } = step.what
    for (const shard of step.answer) {
      const other = granted.get(shard)
      if (other && other.holder !== holder) {
        if (other.until >= step.at) return `shard ${shard} went to ${holder} while ${other.holder} held it`
        meet('a lease that ended is taken over')
      }
      granted.set(shard, { holder, until: step.at + ms })
    }
    if (step.answer.length === 0) meet('a dispatcher stands by')
    if (new Set([...granted.values()].map((each) => each.holder)).size > 1) meet('several hold shards')
    return step.answer.length > 0
  }
}

/**
 * Only the holder of a shard dispatches from it, and never beyond the window. Exactly: what is out of the shards held together
 * grows up to the window and no further. A new holder inherits what is out; with shards of several holders that may be
 * more than the window, and then it only shrinks. What is out of one shard is therefore never more than the window, and
 * of all of them never more than the window for each shard.
 */
export function windowCheck({ window, meet }: CheckDeps): StepCheck {
  return (step) => {
    if (step.kind === 'dispatch') noteBelief(step)
    if (step.kind === 'renewLeases' && inherits(step)) meet('a new holder inherits what is out')
    const [before, after] = [countOut(step.before), countOut(step.after)]
    return judge(step, before, after)
  }

  function judge(step: Step, before: readonly number[], after: readonly number[]): string | boolean {
    const allowed =
      step.kind === 'dispatch' ? stillHeld(step).filter((shard) => step.what.shards.includes(shard)) : []
    for (const shard of SHARDS) {
      const out = after[shard] ?? 0
      if (out > (before[shard] ?? 0) && !allowed.includes(shard))
        return `work of shard ${shard} was dispatched by one who does not hold it`
      if (out > window) return `${out} documents of shard ${shard} are out, the window is ${window}`
    }
    let full = false
    for (const shards of heldTogether(step.after)) {
      const [earlier, now] = [sumOf(before, shards), sumOf(after, shards)]
      if (now > window && now > earlier)
        return `${now} documents of the shards ${shards.join()} are out, the window is ${window}`
      if (now > window) meet('more is inherited than the window holds')
      full ||= step.kind === 'dispatch' && now === window
    }
    return full
  }

  /** A holder that comes late would have got something, had nobody looked at the lease. */
  function noteBelief(step: DispatchStep): void {
    const held = stillHeld(step)
    const lost = new Set(step.what.shards.filter((shard) => !held.includes(shard)))
    const out = sumOf(countOut(step.before), step.what.shards)
    const waits = [...step.before.work.values()].some(
      ({ state, shard, notBefore }) => state === 'queued' && lost.has(shard) && notBefore <= step.at,
    )
    if (held.some((shard) => !step.what.shards.includes(shard)))
      meet('a dispatcher dispatches before it knows of all its shards')
    if (waits && out < window) meet('a late ex-holder wants to dispatch and gets nothing')
  }
}

function inherits({ before, after }: Step): boolean {
  const out = countOut(before)
  return SHARDS.some(
    (shard) => before.leases[shard]?.holder !== after.leases[shard]?.holder && (out[shard] ?? 0) > 0,
  )
}

/** By shard. A document is out while it has a ticket. */
function countOut(tables: Tables): readonly number[] {
  const out = SHARDS.map(() => 0)
  for (const { shard, ticket } of tables.work.values())
    if (ticket !== null) out[shard] = (out[shard] ?? 0) + 1
  return out
}

/** Whether the lease still lasts or not: nobody else has come for them. */
function heldTogether({ leases }: Tables): readonly (readonly number[])[] {
  const holders = new Set(leases.flatMap(({ holder }) => holder ?? []))
  return [...holders].map((holder) => SHARDS.filter((shard) => leases[shard]?.holder === holder))
}

function sumOf(counts: readonly number[], shards: readonly number[]): number {
  return shards.reduce((sum, shard) => sum + (counts[shard] ?? 0), 0)
}

/**
 * At each dispatch: no tenant that got something has more in flight than one who still waits, by more than the one that was
 * given last; and each tenant is served in its own order.
 */
export function fairnessCheck({ window: whole, meet }: CheckDeps): StepCheck {
  const book = keepSwitchBook()
  return (step) => {
    book.follow(step)
    if (step.kind !== 'dispatch') return false
    const window = book.windowAt(step.at, whole)
    const held = stillHeld(step)
    const rows = [...step.after.work.values()].filter(({ shard }) => held.includes(shard))
    const waiting = rows.filter(
      ({ state, shard, notBefore, ref }) =>
        state === 'queued' && step.what.shards.includes(shard) && notBefore <= step.at && !book.forbids(ref),
    )
    const out = rows.filter(({ state }) => state !== 'queued').length
    if (waiting.length > 0 && out < window) return 'room was left while documents wait'
    const served = new Set(step.answer.map(({ ref }) => ref.tenant))
    const waiters = new Set(waiting.map(({ ref }) => ref.tenant))
    for (const tenant of served)
      for (const other of waiters) {
        if (other === tenant) continue
        const [more, less] = [underWay(rows, tenant), underWay(rows, other)]
        if (more > less + 1)
          return `${tenant} has ${more} under way and was served before ${other} with ${less}`
      }
    if (waiters.size > 1) meet('several tenants wait for the same room')
    return passedOver(step, waiting) ?? (served.size > 0 && waiters.size > 0)
  }
}

function underWay(rows: readonly WorkRow[], tenant: string): number {
  return rows.filter(({ ref, state }) => ref.tenant === tenant && state !== 'queued').length
}

function passedOver(step: DispatchStep, waiting: readonly WorkRow[]): string | undefined {
  for (const { ref } of step.answer) {
    const position = step.before.work.get(ref.key)?.position ?? 0
    const passed = waiting.find((row) => row.ref.tenant === ref.tenant && row.position < position)
    if (passed) return `${ref.key} was dispatched before ${passed.ref.key}, which came earlier`
  }
  return undefined
}
