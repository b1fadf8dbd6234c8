/** Checks on documents, their work and the logs of their scopes. */
import type { DocumentRow, WorkRow } from '../rules.ts'
import type { StepCheck, CheckDeps, Step } from './step.ts'

/** The allowed order of events. A removal is an end for good; a version that was replaced is told of once. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  unknown: ['document.queued'],
  'document.queued': ['document.processing', 'document.superseded', 'document.removed'],
  'document.processing': [
    'document.processing',
    'document.processed',
    'document.failed',
    'document.held',
    'document.superseded',
    'document.removed',
  ],
  'document.processed': ['document.superseded', 'document.removed'],
  'document.failed': ['document.queued', 'document.superseded', 'document.removed'],
  'document.held': ['document.queued', 'document.superseded', 'document.removed'],
  'document.superseded': [],
  'document.removed': [],
}

const ENDS: ReadonlySet<string> = new Set(['document.processed', 'document.failed', 'document.held'])

/** A version of a document comes to one end each time it is queued. The log is read as a machine of few states. */
export function endCheck({ meet }: CheckDeps): StepCheck {
  const last = new Map<string, string>()
  return ({ kind, entries }) => {
    for (const entry of entries) {
      if (entry.document === null) continue
      const key = `${entry.scopeKey} ${entry.document} ${entry.version} of epoch ${entry.epoch}`
      const before = last.get(key) ?? 'unknown'
      if (!FOLLOWS[before]?.includes(entry.kind)) return `${entry.kind} after ${before} for ${key}`
      if (kind === 'accept' && before === 'document.processing')
        meet('a version is superseded while it is read')
      if (kind === 'remove' && before === 'document.processing')
        meet('a document is removed while it is read')
      if (kind === 'retry') meet('a failed document is tried again')
      if (kind === 'releaseHeld') meet('a held document is let pass')
      if (kind === 'complete' && entry.kind === 'document.superseded') meet('a reading replaces an older one')
      last.set(key, entry.kind)
    }
    return entries.some(({ kind: told }) => ENDS.has(told))
  }
}

/** A document that is not at its end has its row of work, of the same version and attempt; one at its end has none. */
export function workCheck(): StepCheck {
  return (step) => {
    const { before, after } = step
    if (before.work === after.work && before.documents === after.documents) return false
    for (const [key, document] of after.documents) {
      const fault = compare(document, after.work.get(key))
      if (fault) return `${key}: ${fault}`
    }
    for (const key of after.work.keys())
      if (!after.documents.has(key)) return `${key}: work without a document`
    return disturbed(step) ?? true
  }
}

function compare(document: DocumentRow, row: WorkRow | undefined): string | undefined {
  const isUnderWay = document.status === 'queued' || document.status === 'processing'
  if (isUnderWay !== (row !== undefined)) return `${document.status}, and ${row ? 'has' : 'has no'} work`
  if (document.readings.length > 1) return 'two readings'
  if (!row) return undefined
  if (row.version !== document.version || row.epoch !== document.epoch || row.attempt !== document.attempt)
    return 'its work is of another version, epoch or attempt'
  return (row.state === 'queued') === (row.ticket === null)
    ? undefined
    : `${row.state} with ticket ${row.ticket}`
}

/** A statement about one document leaves every other one as it was. */
function disturbed(step: Step): string | undefined {
  if (!('ref' in step.what)) return undefined
  const { key } = step.what.ref
  for (const [other, row] of step.after.work)
    if (other !== key && step.before.work.get(other) !== row) return `${other} changed with ${key}`
  return undefined
}

/** The log of a scope has no gaps, and its head is its last entry. */
export function logCheck(): StepCheck {
  const heads = new Map<string, number>()
  return ({ entries, after, before }) => {
    for (const { scopeKey, seq, kind } of entries) {
      const expected = (heads.get(scopeKey) ?? 0) + 1
      if (seq !== expected) return `${kind} in ${scopeKey} is at ${seq}; the next position is ${expected}`
      heads.set(scopeKey, seq)
    }
    if (after.scopes === before.scopes) return entries.length > 0 && 'entries were written and no head moved'
    for (const [scopeKey, { head }] of after.scopes)
      if (head !== (heads.get(scopeKey) ?? 0))
        return `the head of ${scopeKey} is ${head}, its last entry is not`
    return entries.length > 0
  }
}
