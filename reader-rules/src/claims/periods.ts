/** Which time a value speaks of: the date beside it, else the one date of its sentence, else what column or form say. */
import type { Days } from '@concord/reading/src/claim.ts'
import { isAlone, isOpening } from './events.ts'
import { runAt } from './phrases.ts'
import { isNominal } from './verbs.ts'
import type { Run } from './phrases.ts'
import { clauseOf, isDate, within } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { lowAt, tokenAt } from './token.ts'

const notTimes = new Set(['until', 'till', 'since', 'before', 'after'])

/** The period of one value among those of its sentence. */
export function periodOf(sentence: Sentence, index: number): Days | null {
  const { values, runs } = sentence
  const own = runAt(runs, index)
  const clause = clauseOf(sentence, own[0])
  let best: Days | null = null
  let nearest = Infinity
  for (let other = 0; other < values.length; other += 1) {
    const found = values[other]
    if (other === index || found === undefined || !isDate(found)) continue
    const run = runAt(runs, other)
    const distance = Math.min(Math.abs(run[0] - own[1]), Math.abs(own[0] - run[1]))
    if (isOpening(sentence, run) || (!within(run, clause) && isAlone(sentence, other))) continue
    const apart =
      isBound(sentence, run) || isAside(sentence, own, run) || isBracketed(sentence, own, run) ? 60 : 0
    const away = distance + (within(run, clause) ? 0 : 30) + apart
    if (away < nearest) [best, nearest] = [found.value.days, away]
  }
  return nearest < 60 ? best : null
}

/** "rent of 5,000, with a review on 1 July": a date behind a comma belongs to what stands between, if anything does. */
function isAside({ tokens, taken }: Sentence, own: Run, run: Run): boolean {
  for (let at = run[0] - 1; at >= own[1]; at -= 1) {
    if (lowAt(tokens, at) === ',')
      return tokens.slice(at + 1, run[0]).some((token, index) => !taken(at + 1 + index) && isNominal(token))
  }
  return false
}

/** "EUR 48.2m (2024: EUR 44.6m)": the date in brackets is of the figure beside it there. */
function isBracketed({ tokens, taken, values, runs }: Sentence, own: Run, run: Run): boolean {
  let open = run[0] - 1
  while (open >= 0 && (taken(open) || !tokenAt(tokens, open).sign)) open -= 1
  if (lowAt(tokens, open) !== '(') return false
  let close = run[1]
  while (close < tokens.length && lowAt(tokens, close) !== ')') close += 1
  const inside = ([from]: Run) => from > open && from < close
  return !inside(own) && runs.some((other, index) => inside(other) && values[index]?.value.type !== 'date')
}

/** "until 2026", "the letter of 3 May": the date belongs to something else. */
function isBound({ tokens }: Sentence, run: Run): boolean {
  const before = tokens[run[0] - 1]?.low ?? ''
  if (notTimes.has(before)) return true
  return (
    before === 'of' &&
    /^(?:letter|report|version|memorandum|certificate|agreement|contract|minute|decision|order|invoice)s?$/.test(
      tokens[run[0] - 2]?.low ?? '',
    )
  )
}

/** The date nearest to a token, of its own clause if there is one. */
function nearestDate(sentence: Sentence, at: number): number {
  const clause = clauseOf(sentence, at)
  let best = -1
  let nearest = Infinity
  sentence.values.forEach((found, index) => {
    if (!isDate(found)) return
    const run = runAt(sentence.runs, index)
    const away = Math.abs(run[0] - at) + (within(run, clause) ? 0 : 40)
    if (away < nearest) [best, nearest] = [index, away]
  })
  return best
}

function periodNear(sentence: Sentence, at: number): Days | null {
  const found = sentence.values[nearestDate(sentence, at)]
  return found?.value.type === 'date' ? found.value.days : null
}

/** "since 2019" lasts from then until the document speaks; any other date is the time itself. */
export function sincePeriod(
  sentence: Sentence,
  place: { readonly assertedAt: number | null },
  at: number,
): Days | null {
  const index = nearestDate(sentence, at)
  const days = periodNear(sentence, at)
  if (days === null) return null
  const from = runAt(sentence.runs, index)[0]
  const lasts =
    lowAt(sentence.tokens, from - 1) === 'from' ||
    sentence.tokens.slice(Math.max(0, from - 7), from).some(({ low }) => low === 'since')
  return lasts ? [days[0], Math.max(days[1], place.assertedAt ?? 0)] : days
}
