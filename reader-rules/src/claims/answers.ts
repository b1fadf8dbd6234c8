/** One answer in its place: what was asked, what stands behind it, and what every claim of it begins with. */
import type { Days } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import type { AskedSubject } from './asked.ts'
import { contextOf } from './build.ts'
import type { ClaimDraft, ClaimPosition } from './build.ts'
import type { Scene } from './scene.ts'
import type { Sentence } from './sentence.ts'
import { lowAt } from './token.ts'
import type { Token } from './token.ts'

export interface KeyedAnswer {
  readonly value: Span
  /** The quote: key and value. */
  readonly span: Span
}

/** One answer in its place. */
export interface AnswerLine {
  readonly scene: Scene
  readonly asked: AskedSubject
  readonly keyed: KeyedAnswer
  readonly place: ClaimPosition
  readonly sentence: Sentence
}

export function isAnswerWord(tokens: readonly Token[]): boolean {
  return ['yes', 'no', 'none', 'nil'].includes(lowAt(tokens, 0))
}

export type Base = Omit<ClaimDraft, 'kind' | 'value' | 'valueSpan'>

export function baseOf({ scene, asked, keyed, place }: AnswerLine, words: readonly string[]): Base {
  const subject = asked.subject ?? place.subject
  const said = scene
    .tokens(keyed.value)
    .filter((token) => !token.sign && !token.digit && token.low.length > 3)
  return {
    span: keyed.span,
    subject,
    attribute: { words, text: asked.text },
    context: contextOf(asked.tokens, [...words, ...subject.words], () => false, [
      ...place.context,
      ...said.map((token) => token.word),
    ]),
    qualifiers: asked.qualifiers,
    period: periodFor(asked, place),
    modality: place.quoted ? 'quoted' : asked.modality,
    replaces: null,
    assertedAt: place.assertedAt,
    confidence: 0.85,
  }
}

/** "From 1 March 2023" lasts until the document speaks. */
function periodFor(asked: AskedSubject, place: ClaimPosition): Days | null {
  if (asked.period === null) return place.period
  return asked.open ? [asked.period[0], Math.max(asked.period[1], place.assertedAt ?? 0)] : asked.period
}
