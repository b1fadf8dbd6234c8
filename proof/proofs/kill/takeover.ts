/**
 * How long a document of a killed worker waited for another worker: it was claimed, its worker was killed, and it was
 * claimed again. Which worker had it is in the worker's own log. One that died before it wrote that is not known; then the
 * first one killed after the claim is taken, which can only make the wait look longer than it was.
 */
import type { LedgerAttempt } from '../../harness/ledger.ts'
import type { ProcessLife } from '../../harness/member.ts'

export interface Takeover {
  readonly document: string
  /** The moment of the kill. */
  readonly killedAt: number
  readonly ms: number
}

/** Finds the worker that had a document in an attempt; undefined where nobody knows. */
export type HolderOf = (claim: LedgerAttempt) => Pick<ProcessLife, 'killedAt'> | undefined

export function findTakeovers(
  claims: readonly LedgerAttempt[],
  kills: readonly number[],
  holderOf: HolderOf = () => undefined,
): Takeover[] {
  const inOrder = kills.toSorted((a, b) => a - b)
  const byDocument = Map.groupBy(claims, ({ document }) => document)
  return [...byDocument.values()].flatMap((ofDocument) => {
    const sorted = ofDocument.toSorted((a, b) => a.at - b.at)
    return sorted.slice(1).flatMap((claim, index) => {
      const before = sorted[index]
      const holder = before && holderOf(before)
      const killedAt = holder
        ? holder.killedAt
        : inOrder.find((at) => at > (before?.at ?? 0) && at < claim.at)
      // Whose worker lived, or died only later, was not taken over from a killed one.
      if (killedAt === undefined || killedAt >= claim.at) return []
      return [{ document: claim.document, killedAt, ms: claim.at - killedAt }]
    })
  })
}

/** Told from what the workers wrote, which is tickets, and from the documents that had these. */
export function holdersIn(lives: readonly ProcessLife[], tickets: ReadonlyMap<string, string>): HolderOf {
  const holders = new Map<string, ProcessLife>()
  for (const life of lives)
    for (const line of life.child.output().split('\n')) {
      const { ticket = '', attempt } = noteIn(line)
      const document = tickets.get(ticket)
      if (document !== undefined) holders.set(`${document} ${attempt}`, life)
    }
  // The log of the scope names the version as well; here every document has one.
  return ({ document, attempt }) => holders.get(`${document.split('/').slice(0, 3).join('/')} ${attempt}`)
}

interface Note {
  readonly ticket?: string
  readonly attempt?: number
}

function noteIn(line: string): Note {
  if (!line.includes('"msg":"claimed"')) return {}
  try {
    return JSON.parse(line) as Note
  } catch {
    return {}
  }
}
