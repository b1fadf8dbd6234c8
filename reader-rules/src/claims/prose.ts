/** Claims of one sentence: its values first, then what it denies or affirms, states, and whom it names in a role. */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { claimFrom } from './build.ts'
import { codesIn } from './codes.ts'
import { conditionIn } from './conditions.ts'
import type { ClaimPosition } from './build.ts'
import { affirmationIn } from './affirmations.ts'
import { denialsIn } from './denials.ts'
import { describe } from './describing.ts'
import type { Said, Thread } from './describing.ts'
import { holdersIn } from './holders.ts'
import { eventOf, isOwnEvent } from './events.ts'
import { frequencyIn } from './frequencies.ts'
import type { Measure } from './gathering.ts'
import { measureOf } from './measures.ts'
import { periodOf } from './periods.ts'
import { isWithdrawn, replacingIn } from './replacing.ts'
import type { Replacing } from './replacing.ts'
import { runAt } from './phrases.ts'
import { readSentence } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import type { Scene } from './scene.ts'
import { statementsIn } from './statements.ts'
import { statesIn } from './states.ts'
import { pointedAt, putRight, remember } from './threads.ts'
import type { Measuring } from './threads.ts'
import { maxTokens } from './tokens.ts'

const maxOfSentence = 6

export function claimsOfSentence(scene: Scene, span: Span, place: ClaimPosition, thread: Thread): Claim[] {
  const tokens = scene.tokens(span)
  if (tokens.length < 3) return []
  const sentence = readSentence(scene.text, span, tokens, scene.book, place.hints)
  if (isQuestion(sentence)) return []
  const said = { scene, sentence, place, thread }
  const replacing = replacingIn(sentence)
  const measured = measuring(sentence)
  const claims: Claim[] = []
  const dateOnly = !sentence.values.some((found) => found.value.type !== 'date')
  let index = 0
  for (; index < sentence.values.length && claims.length < maxOfSentence; index += 1) {
    const claim = claimOfValue(said, index, measured, replacing, dateOnly)
    if (claim !== null) claims.push(claim)
  }
  let isCut = index < sentence.values.length || tokens.length >= maxTokens
  for (const claim of [
    ...existenceIn(said),
    ...statesIn(said),
    ...holdersIn(said),
    frequencyIn(said),
    conditionIn(said),
  ]) {
    if (claim === null) continue
    if (claims.length < maxOfSentence) claims.push(claim)
    else isCut = true
  }
  if (isCut) scene.cuts.count += 1
  claims.push(...statementsIn(said, claims), ...codesIn(said))
  remember(sentence, thread, measured)
  return claims
}

function isQuestion({ tokens }: Sentence): boolean {
  for (let at = tokens.length - 1; at >= Math.max(0, tokens.length - 3); at -= 1)
    if (tokens[at]?.low === '?') return true
  return false
}

function existenceIn(said: Said): (Claim | null)[] {
  const denials = denialsIn(said)
  return denials.length > 0 ? denials : [affirmationIn(said)]
}

/** The measure of each value, worked out once: the claim needs it, and so does whatever points back to the first figure. */
function measuring(sentence: Sentence): Measuring {
  const known: (Measure | null)[] = []
  return (index) => {
    const before = known[index]
    return before === undefined ? (known[index] = measureOf(sentence, index)) : before
  }
}

function claimOfValue(
  said: Said,
  index: number,
  measured: Measuring,
  replacing: Replacing,
  dateOnly: boolean,
): Claim | null {
  const { scene, sentence, place, thread } = said
  const found = sentence.values[index]
  const run = runAt(sentence.runs, index)
  if (found === undefined || run[1] === 0 || replacing.old.has(index)) return null
  const replaces = replacing.of.get(index) ?? null
  const date = found.value.type === 'date'
  if (replaces === null && !speaksForItself(sentence, index, date, dateOnly)) return null
  const measure = date ? eventOf(sentence, index) : measured(index)
  if (measure === null) return null
  const draft = putRight(
    {
      ...describe(said, measure, run),
      kind: found.kind,
      value: found.value,
      valueSpan: found.span,
      period: date ? null : (periodOf(sentence, index) ?? pointedAt(sentence, thread)),
      replaces,
    },
    measure.words,
    thread,
  )
  return claimFrom(scene.text, date ? draft : { ...draft, period: draft.period ?? place.period })
}

/** A withdrawn statement is not claimed; a date beside a figure is when, unless something of its own happened then. */
function speaksForItself(sentence: Sentence, index: number, date: boolean, dateOnly: boolean): boolean {
  if (isWithdrawn(sentence.tokens)) return false
  return !date || dateOnly || isOwnEvent(sentence, index)
}
