/** A document that is not at its end has its row of work, of the same version and attempt; one at its end has none. */
import type { Paper, Work } from '../store.ts'
import type { Check, Step } from './step.ts'

export function workCheck(): Check {
  return (step) => {
    const { before, after } = step
    if (before.work === after.work && before.papers === after.papers) return false
    for (const [key, paper] of after.papers) {
      const fault = compare(paper, after.work.get(key))
      if (fault) return `${key}: ${fault}`
    }
    for (const key of after.work.keys()) if (!after.papers.has(key)) return `${key}: work without a document`
    return disturbed(step) ?? true
  }
}

function compare(paper: Paper, row: Work | undefined): string | undefined {
  const isUnderWay = paper.status === 'queued' || paper.status === 'processing'
  if (isUnderWay !== (row !== undefined)) return `${paper.status}, and ${row ? 'has' : 'has no'} work`
  if (paper.readings.length > 1) return 'two readings'
  if (!row) return undefined
  if (row.version !== paper.version || row.epoch !== paper.epoch || row.attempt !== paper.attempt)
    return 'its work is of another version, epoch or attempt'
  return (row.state === 'queued') === (row.ticket === null)
    ? undefined
    : `${row.state} with ticket ${row.ticket}`
}

/** A statement about one document leaves every other one as it was. */
function disturbed(step: Step): string | undefined {
  if (!('place' in step.what)) return undefined
  const { key } = step.what.place
  for (const [other, row] of step.after.work)
    if (other !== key && step.before.work.get(other) !== row) return `${other} changed with ${key}`
  return undefined
}
