/**
 * Reads what a document states: one typed claim for each value, denial, state and role that its structure holds. Pure,
 * deterministic and linear in the length of the text. What is in another language than English gives none.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import { collectClaims } from './claims/collection.ts'
import type { CollectedClaims } from './claims/collection.ts'
import { claimsOfPassage, headerClaims, maxFields } from './claims/passages.ts'
import { readScene } from './claims/scene.ts'
import type { Scene } from './claims/scene.ts'
import type { Span, Structure } from '@concord/reading/src/format.ts'
import { readLanguage } from '@concord/reading/src/language.ts'
import type { LanguageReading } from '@concord/reading/src/language.ts'
import type { UnreadReason, UnreadSpan } from '@concord/reading/src/report.ts'
import { createSearch } from './spans.ts'

export function readClaims(text: string, structure: Structure): Claim[] {
  return readPassages(text, structure, readLanguage(text, structure)).claims
}

/** Passages of code count as read: they hold no statements, so no claims are expected of them. */
export function readPassages(
  text: string,
  structure: Structure,
  { isReadable, passages: foreign, spans }: LanguageReading,
): CollectedClaims {
  const { passages } = structure
  const asides = unreadFor('language', spans)
  if (!isReadable) {
    const { unread } = collectClaims(passages, [], () => ({ claims: [], isCut: false }), foreign)
    return { claims: [], unread: [...unread, ...asides] }
  }
  const scene = readScene(text, structure)
  const isForeign = createSearch(spans)
  const header = readHeader(scene)
  const flow = claimsOfPassage(scene)
  const { claims, unread } = collectClaims(
    passages,
    header.claims.filter((claim) => !isForeign(claim.span)),
    (index) => {
      const before = scene.cuts.count
      const own = flow(index).filter((claim) => !isForeign(claim.span))
      return { claims: own, isCut: scene.cuts.count > before }
    },
    foreign,
  )
  const lost = [...unread, ...header.unread.filter(({ span }) => !isForeign(span))]
  const isLost = createSearch(lost.map(({ span }) => span))
  const ordered = [...claims.filter((claim) => !isBeside(claim)), ...claims.filter(isBeside)]
  return { claims: marked(ordered, scene), unread: [...lost, ...asides.filter(({ span }) => !isLost(span))] }
}

function unreadFor(reason: UnreadReason, spans: readonly Span[]): UnreadSpan[] {
  return spans.map((span) => ({ reason, span, isPassage: false }))
}

function readHeader(scene: Scene): CollectedClaims {
  const fields = scene.structure.header.fields.map(({ span }) => span)
  try {
    const { claims, cut } = headerClaims(scene)
    return { claims, unread: unreadFor('limit', [...cut, ...fields.slice(maxFields)]) }
  } catch {
    return { claims: [], unread: unreadFor('failed', fields) }
  }
}

/** A claim told beside the values of a document comes behind them. */
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
