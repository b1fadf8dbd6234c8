/**
 * Reads what a document states: one typed claim for each value, denial, state and role that its structure holds. Pure,
 * deterministic and linear in the length of the text. A text in another language than English gives none.
 */
import type { Claim } from '../domain/claim.ts'
import type { UnreadReason } from '../domain/reading-report.ts'
import { collectClaims } from './claims/collection.ts'
import type { CollectedClaims, UnreadSpan } from './claims/collection.ts'
import { claimsOfPassage, headerClaims } from './claims/passages.ts'
import { readScene } from './claims/scene.ts'
import type { Scene } from './claims/scene.ts'
import type { Passage, Structure } from './format.ts'

export function readClaims(text: string, structure: Structure): Claim[] {
  return readPassages(text, structure).claims
}

/** Passages of code count as read: they hold no statements, so no claims are expected of them. */
export function readPassages(text: string, structure: Structure): CollectedClaims {
  const { passages } = structure
  if (structure.language === 'other') return { claims: [], unread: allUnread(passages, 'language') }
  const scene = readScene(text, structure)
  const { claims, unread } = collectClaims(passages, headerClaims(scene), claimsOfPassage(scene))
  const ordered = [...claims.filter((claim) => !isBeside(claim)), ...claims.filter(isBeside)]
  return { claims: marked(ordered, scene), unread }
}

function allUnread(passages: readonly Passage[], reason: UnreadReason): UnreadSpan[] {
  return passages.map(({ span }) => ({ reason, span, isPassage: true }))
}

/** What is told beside the values of a document comes behind them. */
function isBeside({ value, qualifiers }: Claim): boolean {
  if (value.type !== 'word') return false
  return value.family === 'code' || (value.family === 'statement' && qualifiers.includes('part'))
}

/** A document about site 01 speaks of site 01 throughout, also where a sentence names something else. */
function marked(claims: Claim[], { subject }: Scene): Claim[] {
  const mark = subject.from === 'document' ? subject.words.find((word) => /\d/.test(word)) : undefined
  if (mark === undefined) return claims
  return claims.map((claim) =>
    claim.subject.words.includes(mark)
      ? claim
      : { ...claim, qualifiers: [...claim.qualifiers, `document:${mark}`].toSorted() },
  )
}
