/**
 * A line of a form as the statement it makes: "Are the doors locked? No" says that they are not, and "Withdrawals: none" that
 * there were none. As a statement it meets whoever tells the same, or the opposite, in a sentence.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import type { AnswerLine } from './answers.ts'
import { claimFrom } from './build.ts'
import { lightVerbs } from '@concord/reading/src/words/lexicon.ts'
import { nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import { Sides, wordOf } from './polarity.ts'
import { sideOf } from './opposites.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const yes = /^(?:yes|true|correct)$/
const no = /^(?:no|none|nil|never|false)$/
const fewest = 2
const most = 12
const longest = 24

/** The meaning that a yes or a no gives the question; null where the answer is neither, or the question says too little. */
export function replyOf(answer: AnswerLine): Claim | null {
  const { asked, scene, keyed, place } = answer
  if (asked.tokens.length > longest) return null
  const run: Run = [0, asked.tokens.length]
  const { words, denied } = new Sides(asked.tokens, run, false)
  if (words.length < fewest || words.length > most) return null
  const not = deniedBy(answer, denied)
  if (not === null) return null
  return claimFrom(scene.text, {
    kind: 'status',
    subject: asked.subject ?? place.subject,
    attribute: { words, text: asked.text },
    context: [],
    qualifiers: ['part', ...[...not].toSorted().map((word) => `not:${word}`)],
    value: {
      type: 'word',
      family: 'statement',
      word: not.size % 2 === 1 ? 'denied' : 'affirmed',
      rank: not.size % 2 === 1 ? null : 1,
    },
    valueSpan: spanOf(answer),
    span: keyed.span,
    period: null,
    modality: place.quoted ? 'quoted' : asked.modality,
    replaces: null,
    assertedAt: place.assertedAt,
    confidence: 0.8,
  })
}

/** The words that are denied in the end; null where the answer is no yes and no no. */
function deniedBy({ asked, sentence }: AnswerLine, denied: readonly string[]): ReadonlySet<string> | null {
  const first = lowAt(sentence.tokens, 0)
  // "Mr Hale: no adverse media" denies something else than what the key says.
  const alone = sentence.tokens.length === 1 || tokenAt(sentence.tokens, 1).sign
  if (!alone || (asked.subject !== null && asked.words.length < fewest)) return null
  const not = new Set(denied)
  if (yes.test(first)) return not
  const falls = no.test(first) ? pointOf(asked.tokens) : null
  if (falls === null) return null
  if (!not.delete(falls)) not.add(falls)
  return not
}

/** From the question to the end of its answer. */
function spanOf({ asked, sentence, keyed }: AnswerLine): Span {
  const last = sentence.tokens.findLast(({ sign }) => !sign) ?? tokenAt(sentence.tokens, 0)
  const start = asked.tokens[0]?.start ?? keyed.span[0]
  return [Math.min(start, keyed.value[0]), Math.max(last.end, keyed.value[0])]
}

/** The word that a no falls on: what is asked for by "any", else the deed, else the first noun. */
function pointOf(tokens: readonly Token[]): string | null {
  const any = tokens.findIndex(({ low }) => low === 'any')
  if (any !== -1) return headOf(tokens, any + 1)
  const verb = tokens.findLastIndex(
    (token, at) => at > 0 && token.verb && !lightVerbs.has(token.word) && conceptOf(token) !== null,
  )
  return verb === -1 ? headOf(tokens, 0) : conceptOf(tokenAt(tokens, verb))
}

function headOf(tokens: readonly Token[], from: number): string | null {
  for (let at = from; at < tokens.length; at += 1) {
    const run = nounsAfter(tokens, at, tokens.length, () => false)
    if (run[0] < run[1]) return conceptOf(tokenAt(tokens, run[1] - 1))
  }
  return null
}

function conceptOf(token: Token): string | null {
  return sideOf(token.low)?.concept ?? wordOf(token)
}
