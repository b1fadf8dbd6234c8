/** A shard goes to somebody else only after its lease has ended or was given up or freed. */
import type { Check, CheckDeps } from './step.ts'

export function leaseCheck({ meet }: CheckDeps): Check {
  const granted = new Map<number, { readonly holder: string; readonly until: number }>()
  return (step) => {
    if (step.kind === 'giveUpLeases') {
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
