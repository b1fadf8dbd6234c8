/** A version of a document comes to one end each time it is queued. The log is read as a machine of few states. */
import type { Check, CheckDeps } from './step.ts'

/** What may follow what. A removal is an end for good; a version that was replaced is told of once. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  unknown: ['document.queued'],
  'document.queued': ['document.processing', 'document.superseded', 'document.removed'],
  'document.processing': [
    'document.processing',
    'document.processed',
    'document.failed',
    'document.superseded',
    'document.removed',
  ],
  'document.processed': ['document.superseded', 'document.removed'],
  'document.failed': ['document.queued', 'document.superseded', 'document.removed'],
  'document.superseded': [],
  'document.removed': [],
}

export function endCheck({ meet }: CheckDeps): Check {
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
      if (kind === 'settle' && entry.kind === 'document.superseded') meet('a reading replaces an older one')
      last.set(key, entry.kind)
    }
    return entries.some((entry) => entry.kind === 'document.processed' || entry.kind === 'document.failed')
  }
}
