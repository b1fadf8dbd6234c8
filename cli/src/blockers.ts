/** The blockers of a scope in words, each with the document or contradiction to act on. */
import { ConcordProblem } from '@concord/client'
import type { Concord, Contradiction, Convergence, ConvergenceBlocker, DocumentDetail } from '@concord/client'
import { wrap } from '../terminal/columns.ts'
import { aboutOf, paintSeverity } from './contradiction-view.ts'
import { gapInWords } from './reading-view.ts'
import { oneLine } from '../terminal/words.ts'

export interface NamedBlocker extends ConvergenceBlocker {
  /** Undefined for anything else, and where the document was removed meanwhile. */
  readonly document: DocumentDetail | undefined
  /** Undefined for anything else. */
  readonly contradiction: Contradiction | undefined
}

const SHOWN = 5

/** The first of them; a blocker has an id only, so its document or contradiction is read for what it is called. */
export async function nameBlockers(
  concord: Concord,
  scopeId: string,
  { blockers }: Pick<Convergence, 'blockers'>,
): Promise<NamedBlocker[]> {
  return Promise.all(
    blockers.slice(0, SHOWN).map(async (blocker) => {
      const { kind, id } = blocker
      return {
        ...blocker,
        document: kind.startsWith('document_')
          ? await find(concord.getDocument({ scopeId, documentId: id }))
          : undefined,
        contradiction: kind.startsWith('contradiction_')
          ? await find(concord.getContradiction({ scopeId, contradictionId: id }))
          : undefined,
      }
    }),
  )
}

async function find<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ConcordProblem && error.status === 404) return undefined
    throw error
  }
}

export function describeBlockers(total: number, shown: readonly NamedBlocker[], width: number): string[] {
  if (total === 0) return []
  return [
    '',
    `in the way: ${total}`,
    ...shown.flatMap((blocker) => describeBlocker(blocker, width)),
    ...(total > shown.length ? [`  and ${total - shown.length} more`] : []),
  ]
}

const INDENT = 12
/** The part of an id that `concord contradictions show` needs to find it. */
const SHORT_ID = 8

function describeBlocker(blocker: NamedBlocker, width: number): string[] {
  const { severity } = blocker
  const grade = (severity ?? '').padEnd(8)
  const painted = severity === null ? grade : paintSeverity(severity, grade)
  return wrap(blockerInWords(blocker), width - INDENT).map((line, at) =>
    at === 0 ? `  ${painted}  ${line}` : `${' '.repeat(INDENT)}${line}`,
  )
}

/** Why comparisons are held, and what releases them. */
export const HELD = {
  not_permitted:
    'no policy permits that their document is sent to the language model; permit it, or remove it',
  over_budget: 'the token budget is used up; they go on in the next period, or when the budget is raised',
} as const

function blockerInWords({ kind, id, document, contradiction }: NamedBlocker): string {
  const what = kind.replaceAll('_', ' ')
  if (kind === 'comparison_incomplete') return `${what}: not all claims of this scope were compared`
  if (kind === 'comparison_pending') return `${what}: claims of this scope wait to be compared`
  if (kind === 'comparison_not_permitted') return `${what}: ${HELD.not_permitted}`
  if (kind === 'comparison_over_budget') return `${what}: ${HELD.over_budget}`
  if (contradiction) return `${what}: ${aboutOf(contradiction)} (${id.slice(0, SHORT_ID)})`
  if (document === undefined) return `${what}: ${oneLine(id)}`
  const gap = document.reading === null ? undefined : gapInWords(document.reading)
  const named = document.name === document.document_id ? '' : ` ${oneLine(document.name)}`
  return `${what}: ${oneLine(id)}${named}${gap === undefined ? '' : ` (${gap})`}`
}
