/** How a clause means what it says: as a fact, a plan, a target, a limit, a supposition or another's words; and of which world. */
import type { Modality } from '@concord/reading/src/claim.ts'
import type { Run } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const hypothetical = set('if would unless assuming suppose supposing otherwise could might')
const limits = set('limit maximum max threshold minimum min cutoff')
const targets = set('shall must target objective goal promise ambition aim aims targets commitment pledge')
const plans = set(
  'will plan plans planned expect expects expected budget budgeted forecast forecasts projected project guidance intends intend anticipated scheduled proposed outlook estimated',
)
const speech = set(
  'say write writes wrote claim claims claimed allege alleges alleged said says report reports according press newspaper rumour',
)

/** The modality of the clause around a value; what stands further off counts only where it governs the whole sentence. */
export function modalityOf(sentence: Sentence, clause: Run, at: number): Modality {
  const { tokens } = sentence
  if (isQuoted(tokens, at)) return 'quoted'
  if (supposes(tokens, clause)) return 'hypothetical'
  const around = window(tokens, clause)
  if (isLimit(tokens.slice(limitFrom(sentence, clause, at), at)) || limitBehind(sentence, at)) return 'limit'
  if (around.some((token) => targets.has(token.low))) return 'target'
  return isPlan(around) ? 'plan' : 'actual'
}

/** "limit 14 %" is not said of the value before it. */
function limitFrom({ runs }: Sentence, clause: Run, at: number): number {
  let from = clause[0]
  for (const run of runs) if (run[1] <= at && run[1] > from) from = run[1]
  return from
}

/** "14 days maximum". */
function limitBehind({ tokens, runs }: Sentence, at: number): boolean {
  const end = runs.find((run) => run[0] === at)?.[1] ?? at
  return limits.has(lowAt(tokens, end))
}

function isLimit(tokens: readonly Token[]): boolean {
  return tokens.some((token) => limits.has(token.low)) || exceeds(tokens)
}

function isPlan(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, index) => plans.has(token.low) && !isNounUse(tokens, index) && !isAsPlanned(tokens, index),
  )
}

/** "as planned", "than expected": what happened is held against the plan. */
function isAsPlanned(tokens: readonly Token[], index: number): boolean {
  const before = lowAt(tokens, index - 1)
  return (before === 'as' || before === 'than') && lowAt(tokens, index).endsWith('ed')
}

/** Whether words speak of a limit, a target, a plan, or of what is. */
export function mannerOf(tokens: readonly Token[]): Modality {
  if (isLimit(tokens)) return 'limit'
  if (tokens.some((token) => targets.has(token.low))) return 'target'
  return isPlan(tokens) ? 'plan' : 'actual'
}

function window(tokens: readonly Token[], [from, to]: Run): readonly Token[] {
  return tokens.slice(from, Math.min(to, from + 60))
}

/** "if", "should X happen" or "in case" anywhere before, or "would" in the clause itself. */
function supposes(tokens: readonly Token[], [from, to]: Run): boolean {
  const first = tokens[0]?.low
  if (first === 'if' || first === 'should' || first === 'unless' || first === 'assuming' || first === 'where')
    return !isRule(tokens, from)
  for (let at = from; at < to; at += 1) {
    const { low } = tokenAt(tokens, at)
    if (hypothetical.has(low)) return true
    if (low === 'case' && tokens[at - 1]?.low === 'in' && tokens[at + 1]?.low === 'of') return true
  }
  return false
}

const unreal = set('would could might were had')

/** "If you leave early, a fee of 300 applies": what follows is laid down for whoever does, and not only supposed. */
function isRule(tokens: readonly Token[], from: number): boolean {
  const to = /^(?:you|the|a|an|your)$/.test(lowAt(tokens, 1))
    ? tokens.findIndex(({ low }) => low === ',')
    : -1
  return to !== -1 && to < from + 14 && !tokens.some(({ low }) => unreal.has(low))
}

function exceeds(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, index) =>
      token.word === 'exceed' &&
      tokens.slice(Math.max(0, index - 3), index).some((each) => each.low === 'not' || each.low === 'never'),
  )
}

/** "the project", "the estimate": a noun, not a plan. */
function isNounUse(tokens: readonly Token[], index: number): boolean {
  const { low } = tokenAt(tokens, index)
  if (low !== 'project' && low !== 'plan' && low !== 'budget' && low !== 'report') return false
  return low === 'project' || tokens[index - 1]?.low === 'against'
}

/** Between quotation marks, behind a verb of saying or a third party. */
function isQuoted(tokens: readonly Token[], at: number): boolean {
  let open = -1
  for (let index = 0; index < at; index += 1)
    if (tokenAt(tokens, index).low === '"') open = open === -1 ? index : -1
  if (open === -1) return isOldText(tokens)
  const before = tokens.slice(Math.max(0, open - 8), open)
  if (isNewText(before)) return false
  return before.some((token) => speech.has(token.low)) || isOldText(tokens)
}

function isOldText(tokens: readonly Token[]): boolean {
  const [first, second] = tokens
  return (
    (first?.low === 'old' || first?.low === 'former' || first?.low === 'previous') &&
    (second?.low === 'text' || second?.low === 'wording')
  )
}

function isNewText(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => token.low === 'new' && tokens[index + 1]?.low === 'text')
}

const bases = new Map<string, string>(
  [
    'reported',
    'adjusted',
    'audited',
    'unaudited',
    'restated',
    'gross',
    'net',
    'consolidated',
    'normalised',
    'underlying',
    'statutory',
    'preliminary',
    'cumulative',
    'diluted',
    'nominal',
    'planned',
    'budgeted',
  ].map((word) => [word, word]),
)
bases.set('proforma', 'proforma')
bases.set('pro-forma', 'proforma')
bases.set('normalized', 'normalised')

/** Whether a word tells the basis of a figure and nothing else; gross and net make another measure. */
export function isBasis(low: string): boolean {
  return bases.has(low) && low !== 'gross' && low !== 'net'
}

const scenarios = set(
  'base downside severe upside stress worst best adverse optimistic pessimistic bear bull central',
)
const kinds = set('phase arm tranche lot cohort class tier stage scenario')

/** Words that make it another measure: its basis, its part, its rate. */
export function qualifiersIn(tokens: readonly Token[]): string[] {
  const found = new Set<string>()
  for (let at = 0; at < tokens.length && found.size < maxQualifiers; at += 1) {
    const token = tokenAt(tokens, at)
    const basis = bases.get(token.low)
    if (basis !== undefined && !isToldOnly(tokens, at))
      found.add(basis === 'audited' && isNot(tokens, at) ? 'unaudited' : basis)
    if (kinds.has(token.low) && isMark(tokens[at + 1])) found.add(`${token.low}:${lowAt(tokens, at + 1)}`)
    if (token.low === 'per' || token.low === 'a') perUnit(tokens, at, found)
  }
  return [...found].toSorted()
}

const maxQualifiers = 8

/** "Ms Hart reported revenue of", "as planned": no basis of the figure. */
function isToldOnly(tokens: readonly Token[], at: number): boolean {
  const { low, verb } = tokenAt(tokens, at)
  if (low !== 'reported' && low !== 'planned' && low !== 'budgeted') return false
  return verb || isAsPlanned(tokens, at)
}

/** "not yet audited", "not audited". */
function isNot(tokens: readonly Token[], at: number): boolean {
  return (
    lowAt(tokens, at - 1) === 'not' || (lowAt(tokens, at - 1) === 'yet' && lowAt(tokens, at - 2) === 'not')
  )
}

/** The world a sentence speaks of: "in our downside case"; "in that case" is the one spoken of before. */
export function scenarioIn(tokens: readonly Token[], before: string | null): string | null {
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    if (!isScenario(tokens[at + 1])) continue
    const { low } = tokenAt(tokens, at)
    if (scenarios.has(low)) return `scenario:${low}`
    if (before !== null && (low === 'that' || low === 'this' || low === 'such')) return before
  }
  return null
}

function isScenario(token: Token | undefined): boolean {
  return token !== undefined && (token.word === 'case' || token.word === 'scenario' || token.low === 'test')
}

function isMark(token: Token | undefined): boolean {
  return (
    token !== undefined && !token.sign && (token.digit || (token.capital && token.end - token.start <= 3))
  )
}

const units = set(
  'day week month year hour employee person share head unit annum quarter minute kilometre customer',
)

const measured = set(
  'hour hours day days minute minutes cent cents pence euro euros dollar dollars pound pounds million thousand times once twice km kilometres metres litres kg mg tonnes',
)

/** True where the words before "a week" are so much, and not "for a week". */
function isMeasured(token: Token | undefined): boolean {
  return token !== undefined && (token.digit || measured.has(token.low))
}

function perUnit(tokens: readonly Token[], at: number, found: Set<string>): void {
  const next = tokens[at + 1]
  if (next === undefined || !units.has(next.low)) return
  const per = tokenAt(tokens, at).low === 'per'
  if (!per && !isMeasured(tokens[at - 1])) return
  if (next.low === 'year' || next.low === 'annum') return
  found.add(`per:${next.low === 'annum' ? 'year' : next.word}`)
}
