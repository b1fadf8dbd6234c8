/** Puts together the claim that there is, or is not, any such thing. */
import type { Claim } from '@concord/reading/src/claim.ts'
import { claimFrom } from './build.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { Gathering } from './gathering.ts'
import type { Measure } from './gathering.ts'
import { lightNouns } from '@concord/reading/src/words/lexicon.ts'
import { sincePeriod } from './periods.ts'
import { nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

/** Nouns whose denial says nothing that another text could gainsay. */
const idle = new Set(
  `reason doubt need comment representation warranty way matter obligation cause guarantee assurance effect event opinion
   answer view sense question action change right liability responsibility impact difference entry column part one such
   other further vat tax prejudice regard cost charge`.split(/\s+/),
)

export interface Thing {
  /** The noun phrase. */
  readonly run: Run
  /** Where the value is quoted from. */
  readonly from: number
  readonly exists: boolean
  /** The word for it, where the text has a verb or another word. */
  readonly word: string | null
}

export function existenceClaim(said: Said, thing: Thing): Claim | null {
  const { sentence, scene } = said
  const { tokens } = sentence
  const { run, exists } = thing
  const head = tokenAt(tokens, run[1] - 1)
  if (thing.word === null && (idle.has(head.word) || lightNouns.has(head.word))) return null
  const measure = measureFor(said, thing)
  if (measure === null) return null
  const draft = describe(said, measure, run)
  const told =
    draft.modality === 'actual' || draft.modality === 'quoted' || (draft.modality === 'plan' && !exists)
  if (!told || isSupposed(tokens)) return null
  return claimFrom(scene.text, {
    ...draft,
    kind: 'existence',
    value: { type: 'existence', exists, blanket: !exists && isBlanket(tokens, thing.from) },
    valueSpan: [tokenAt(tokens, Math.min(thing.from, run[0])).start, head.end],
    period: sincePeriod(sentence, said.place, run[0]) ?? said.place.period,
  })
}

const losing = new Set('lose need require want seek request'.split(' '))

function measureFor(said: Said, { run, exists, word, from }: Thing): Measure | null {
  const { sentence } = said
  const { tokens } = sentence
  const gathering = new Gathering(sentence)
  if (word === null) gathering.phrase(run)
  else gathering.add(word, run[1] - 1)
  // "lost no stock" is of what was lost.
  const deed = tokenAt(tokens, from - 1)
  if (word === null && !exists && losing.has(deed.word)) gathering.add(deed.word, from - 1)
  if (word === null && !exists && lowAt(tokens, run[1]) === 'for')
    gathering.phrase(nounsAfter(tokens, run[1] + 1, tokens.length, sentence.taken))
  if (lowAt(tokens, run[1]) === 'rated') gathering.add(lowAt(tokens, run[1] + 1), run[1] + 1)
  const measure = gathering.measure(exists ? 0.75 : 0.85)
  return measure === null || measure.name !== null ? measure : placed(said, measure, run, exists)
}

/** The subject of a denial is where nothing was: the name behind it, else the document. */
function placed({ sentence }: Said, measure: Measure, run: Run, exists: boolean): Measure {
  const clause = clauseOf(sentence, run[0])
  const from = exists ? clause[0] : run[1]
  const name = sentence.names.find((each) => each.run[0] >= from && each.run[1] <= clause[1])
  return name === undefined ? { ...measure, whole: !exists } : { ...measure, name }
}

/** "In the severe case no tender is won": not said of this world; "no case of illness" is. */
function isSupposed(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ low }, at) => low === 'scenario' || (low === 'case' && lowAt(tokens, at + 1) !== 'of'),
  )
}

const sweeping = new Set('any never none whatsoever ever all nil'.split(' '))

function isBlanket(tokens: readonly Token[], at: number): boolean {
  return lowAt(tokens, at) === 'no' || tokens.some((token) => sweeping.has(token.low))
}
