/**
 * In which order the documents of a case arrive, and through what some of them go: an older text first, removed and sent
 * again, or removed for good and never part of the case at all. However it goes, the same documents are there in the end.
 */
import type { CaseDocument } from './cases.ts'

export type CaseStep =
  | { readonly kind: 'send'; readonly id: string; readonly text: string }
  | { readonly kind: 'remove'; readonly id: string }
  /** Until everything sent so far is read: what comes then meets findings that are there. */
  | { readonly kind: 'wait' }

/** One in so many documents goes through it. */
const REPLACED_ONE_IN = 4
const READDED_ONE_IN = 5
const STRANGER_ONE_IN = 4
const WAITS = 2

/** The documents as they are, one after the other. */
export function plainPlan(documents: readonly CaseDocument[]): CaseStep[] {
  return documents.map(({ id, text }) => ({ kind: 'send', id, text }))
}

export function shuffledPlan(documents: readonly CaseDocument[], random: () => number): CaseStep[] {
  const oneIn = (number: number) => random() * number < 1
  const lives = documents.flatMap((document): CaseStep[][] => {
    const life = lifeOf(document, oneIn)
    return oneIn(STRANGER_ONE_IN) ? [life, strangerLife(document)] : [life]
  })
  const waits = Array.from({ length: WAITS }, (): CaseStep[] => [{ kind: 'wait' }])
  return interleave([...lives, ...waits], random)
}

function lifeOf({ id, text }: CaseDocument, oneIn: (number: number) => boolean): CaseStep[] {
  const sent: CaseStep = { kind: 'send', id, text }
  if (oneIn(REPLACED_ONE_IN)) return [{ kind: 'send', id, text: altered(text) }, sent]
  if (oneIn(READDED_ONE_IN)) return [sent, { kind: 'remove', id }, sent]
  return [sent]
}

/** Contradicts the case as much as it can, and goes away again. */
function strangerLife({ id, text }: CaseDocument): CaseStep[] {
  const stranger = `stranger-${id}`
  return [
    { kind: 'send', id: stranger, text: altered(text) },
    { kind: 'remove', id: stranger },
  ]
}

/** Other figures in the same words, so that whatever is compared differs. */
export function altered(text: string): string {
  return text.replaceAll(/[1-8]/g, (digit) => String(Number(digit) + 1))
}

/** Any order of all steps in which those of one life keep theirs. */
export function interleave(lives: readonly (readonly CaseStep[])[], random: () => number): CaseStep[] {
  const placed = lives.flatMap((life) => {
    const places = life.map(() => random()).toSorted((a, b) => a - b)
    return life.map((step, index) => ({ step, place: places[index] ?? 1 }))
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ step }) => step)
}
