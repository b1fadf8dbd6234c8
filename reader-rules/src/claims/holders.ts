/** The holders of a role: "Mirjam Oudekerk, Chief Technology Officer", "the landlord is X", "took over as CFO from Y". */
import type { Claim } from '@concord/reading/src/claim.ts'
import { claimFrom } from './build.ts'
import type { ClaimPosition } from './build.ts'
import { roleInitials, titles } from '@concord/reading/src/words/lexicon.ts'
import { Gathering } from './gathering.ts'
import type { Measure } from './gathering.ts'
import type { Name } from './names.ts'
import { nounsAfter, nounsBefore } from './phrases.ts'
import { isNominal } from './verbs.ts'
import type { Run } from './phrases.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { sincePeriod } from './periods.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const roles = new Set(
  `officer director manager chairman chairwoman chairperson chair president secretary treasurer investigator auditor
   landlord tenant engineer coordinator counsel broker head lead leader supervisor inspector physician pharmacist
   controller trustee administrator representative surveyor architect custodian registrar partner founder guarantor
   underwriter insurer notary depositary liquidator commissioner owner contractor operator employer foreman headteacher
   headmaster headmistress rector bursar warden mayor captain skipper matron surgeon editor producer curator
   librarian superintendent solicitor valuer adjuster assessor appraiser signatory governor freeholder leaseholder`.split(
    /\s+/,
  ),
)

/** For "owner" and "inspector" the canonical word is the deed. */
export function isRole({ word, low }: Token): boolean {
  return roles.has(word) || roles.has(low)
}

/** The words of a role, initials written out, head first. */
export function roleWords(tokens: readonly Token[]): string[] {
  const words: string[] = []
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const token = tokenAt(tokens, at)
    const long = roleInitials.get(token.low)
    const own = long === undefined ? [token.word] : long.split(' ').toReversed()
    for (const word of own) if (!words.includes(word)) words.push(word)
  }
  return words
}

const deeds = new Set(
  `signed approved performed conducted carried issued chaired designed built supplied delivered owned led managed audited
   certified supervised inspected authorised authorized commissioned installed read checked tested examined repaired
   serviced released driven taken calibrated collected counted witnessed opened written prepared`.split(
    /\s+/,
  ),
)

/** "The release was signed by X", "the building belongs to X": who did it, or whose it is. */
function agentIn(said: Said): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  for (const name of sentence.names) {
    const at = titles.has(lowAt(tokens, name.run[0] - 1)) ? name.run[0] - 2 : name.run[0] - 1
    if (lowAt(tokens, at) !== 'by' && lowAt(tokens, at) !== 'to') continue
    const deed = deedBefore(sentence, at)
    const acts = lowAt(tokens, at) === 'by' && deeds.has(lowAt(tokens, deed))
    const owns = lowAt(tokens, at) === 'to' && tokenAt(tokens, deed).word === 'belong'
    if (!acts && !owns) continue
    const clause = clauseOf(sentence, deed)
    const subject = subjectOf(sentence, clause, verbGroup(tokens, deed, clause[0]))
    const [phrase, further] = subject.phrases
    if (phrase === undefined) return null
    const gathering = new Gathering(sentence)
    gathering.add(owns ? 'own' : tokenAt(tokens, deed).word, deed)
    gathering.phrase(phrase.run)
    if (further?.prep === 'of' || further?.prep === 'to') gathering.phrase(further.run)
    return namedClaim(said, gathering.measure(0.7), [deed, deed + 1], name)
  }
  return null
}

const farthestDeed = 6

/** "signed by X", "carried out by X", "inspected on Monday by X": the deed, with nothing done in between. */
function deedBefore({ tokens }: Sentence, by: number): number {
  for (let at = by - 1; at > Math.max(0, by - farthestDeed); at -= 1) {
    const { low, verb } = tokenAt(tokens, at)
    if (deeds.has(low)) return at
    if (verb || low === ',' || low === ';' || low === 'by' || low === 'and') break
  }
  return by - 1
}

function namedClaim(said: Said, measure: Measure | null, run: Run, name: Name): Claim | null {
  if (measure === null || name.words.length === 0) return null
  const { tokens } = said.sentence
  return claimFrom(said.scene.text, {
    ...describe(said, { ...measure, name: null }, run),
    kind: 'identity',
    value: { type: 'name', words: name.words },
    valueSpan: [tokenAt(tokens, name.run[0]).start, tokenAt(tokens, name.run[1] - 1).end],
    period: null,
  })
}

/** Deeds that one does at a time, told of whoever does them: "Oakbridge Ltd owns the freehold". */
const single = new Set('own audit insure operate host chair'.split(' '))

function doerIn(said: Said): Claim | null {
  const { sentence } = said
  const { tokens, taken } = sentence
  for (const name of sentence.names) {
    const verb = name.run[1]
    if (!single.has(tokenAt(tokens, verb).word) || !lowAt(tokens, verb).endsWith('s')) continue
    const object = nounsAfter(tokens, verb + 1, tokens.length, taken)
    if (object[0] === object[1] || lowAt(tokens, verb + 1) !== 'the') continue
    const gathering = new Gathering(sentence)
    gathering.add(tokenAt(tokens, verb).word, verb)
    gathering.phrase(object)
    return namedClaim(said, gathering.measure(0.7), [verb, verb + 1], name)
  }
  return null
}

/** Nouns that many have at once, or that say nothing of whom they name. */
const manifold = new Set(
  `example name reason result exception member part client customer party one problem subject aim question answer place
   author contact title capital language competitor partner supplier product brand word street region country`.split(
    /\s+/,
  ),
)

/** "The hosting provider is Nordmoln AB.": who it is, whatever it is called. */
function calledIn(said: Said): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  for (const name of sentence.names) {
    const from = titles.has(lowAt(tokens, name.run[0] - 1)) ? name.run[0] - 1 : name.run[0]
    if (name.words.length < 2) continue
    const beside = besideIn(said, name, from)
    if (beside !== null) return beside
    if (!/^(?:is|was|remains)$/.test(lowAt(tokens, from - 1))) continue
    const [phrase, further] = subjectOf(sentence, clauseOf(sentence, from - 1), from - 1).phrases
    if (phrase === undefined || !endsAt(tokens, name.run[1]) || !isCalling(tokens, phrase.run)) continue
    const gathering = new Gathering(sentence)
    gathering.phrase(phrase.run)
    if (further?.prep === 'of' || further?.prep === 'for') gathering.phrase(further.run)
    return namedClaim(said, gathering.measure(0.7), phrase.run, name)
  }
  return null
}

/** "The master, Captain Dag Nesse, said". */
function besideIn(said: Said, name: Name, from: number): Claim | null {
  const { tokens, taken } = said.sentence
  if (lowAt(tokens, from - 1) !== ',' || lowAt(tokens, name.run[1]) !== ',') return null
  const run = nounsBefore(tokens, from - 1, 0, taken)
  if (run[0] !== 1 || run[0] === run[1] || !isCalling(tokens, run)) return null
  const gathering = new Gathering(said.sentence)
  gathering.phrase(run)
  return namedClaim(said, gathering.measure(0.7), run, name)
}

/** "the hosting provider": one of its kind, and no role that is read elsewhere. */
function isCalling(tokens: readonly Token[], run: Run): boolean {
  const head = tokenAt(tokens, run[1] - 1)
  if (isRole(head) || manifold.has(head.word) || head.capital) return false
  return /^(?:the|our|its|their)$/.test(lowAt(tokens, run[0] - 1))
}

/** The name is all that is said, but for where it is or since when. */
function endsAt(tokens: readonly Token[], at: number): boolean {
  const { low, sign } = tokenAt(tokens, at)
  return sign || /^(?:since|in|of|from|and|until)$/.test(low)
}

export function holdersIn(said: Said): Claim[] {
  return [agentIn(said), doerIn(said), calledIn(said), ...roleHolders(said)].filter((claim) => claim !== null)
}

function roleHolders(said: Said): Claim[] {
  const { sentence } = said
  if (!sentence.tokens.some((token) => isRole(token) || roleInitials.has(token.low))) return []
  const claims: Claim[] = pronounHolder(said)
  for (const name of sentence.names) {
    const role = roleOf(sentence, name)
    if (role !== null && claims.length < 3) {
      const claim = holderClaim(said, name, role)
      if (claim !== null) claims.push(claim)
    }
  }
  return claims
}

/** "He has been engineer since": of whoever was named last. */
function pronounHolder(said: Said): Claim[] {
  const { sentence, thread } = said
  const at = sentence.tokens.findIndex(({ low }) => low === 'he' || low === 'she')
  const role = at === -1 ? null : predicated(sentence, { run: [at, at + 1], words: [] })
  if (role === null) return []
  const before = sentence.names.findLast((name) => name.run[1] <= at)
  const words = before?.words ?? thread.subject?.words ?? []
  const claim = words.length === 0 ? null : holderClaim(said, { run: [at, at + 1], words }, role)
  return claim === null ? [] : [claim]
}

/** The role that stands right beside a name. */
function roleOf(sentence: Sentence, name: Name): Run | null {
  return (
    defined(sentence, name) ?? behind(sentence, name) ?? predicated(sentence, name) ?? ahead(sentence, name)
  )
}

/** `X (the "Landlord")`. */
function defined({ tokens, taken }: Sentence, name: Name): Run | null {
  let at = name.run[1]
  while (at < name.run[1] + 12 && at < tokens.length && lowAt(tokens, at) !== '(') at += 1
  if (lowAt(tokens, at) !== '(') return null
  if (lowAt(tokens, at + 1) === 'the') at += 1
  if (lowAt(tokens, at + 1) !== '"') return null
  const run = nounsAfter(tokens, at + 2, Math.min(tokens.length, at + 5), taken)
  return lowAt(tokens, run[1]) === '"' ? asRole(tokens, run) : null
}

/** "X, Chief Technology Officer", "X (CFO)". */
function behind({ tokens, taken }: Sentence, name: Name): Run | null {
  const sign = tokens[name.run[1]]?.low
  if (sign !== ',' && sign !== '(') return null
  const run = nounsAfter(tokens, name.run[1] + 1, Math.min(tokens.length, name.run[1] + 8), taken)
  return asRole(tokens, run)
}

/** "X is the landlord", "X has been principal investigator", "X took over as CFO", "X was appointed director". */
function predicated({ tokens, taken }: Sentence, name: Name): Run | null {
  let at = name.run[1]
  if (tokens[at]?.low === ',') at += 1
  if (tokens[at]?.low === 'who') at += 1
  const start = at
  while (at < tokens.length && at - start < 5 && holding.has(tokenAt(tokens, at).low)) at += 1
  if (at === start) return null
  const run = nounsAfter(tokens, at, Math.min(tokens.length, at + 7), taken)
  return asRole(tokens, run)
}

const holding = new Set(
  'is was has been became becomes took over as appointed named elected served serves acts acting will be remains now the'.split(
    ' ',
  ),
)

/** "the principal investigator, Dr X", "director Petra Malkin", "the auditor is X". */
function ahead({ tokens, taken }: Sentence, name: Name): Run | null {
  let end = name.run[0]
  const before = tokens[end - 1]?.low
  if (before === ',' || before === 'is' || before === 'was' || before === '(' || before === ':') end -= 1
  const run = nounsBefore(tokens, end, Math.max(0, end - 6), taken)
  const role = asRole(tokens, run)
  if (role !== null) return role
  return before === ',' ? throughOf(tokens, taken, end) : null
}

/** "the principal investigator of the centre, Dr X". */
function throughOf(tokens: readonly Token[], taken: Sentence['taken'], end: number): Run | null {
  const inner = nounsBefore(tokens, end, Math.max(0, end - 4), taken)
  let at = inner[0] - 1
  if (tokens[at]?.low === 'the') at -= 1
  if (tokens[at]?.low !== 'of') return null
  return asRole(tokens, nounsBefore(tokens, at, Math.max(0, at - 5), taken))
}

function asRole(tokens: readonly Token[], run: Run): Run | null {
  for (let at = run[1] - 1; at >= run[0]; at -= 1) {
    const token = tokenAt(tokens, at)
    if (!isNominal(token)) return null
    if (isRole(token) || roleInitials.has(token.low)) return [run[0], at + 1]
  }
  return null
}

function holderClaim(said: Said, name: Name, role: Run): Claim | null {
  const { sentence, scene } = said
  const { tokens } = sentence
  const words = roleWords(tokens.slice(role[0], role[1]))
  if (words.length === 0 || name.words.length === 0) return null
  const gathering = new Gathering(sentence)
  for (const word of words) gathering.add(word, role[0])
  if (words[0] === 'head' && lowAt(tokens, role[1]) === 'of')
    gathering.phrase(nounsAfter(tokens, role[1] + 1, role[1] + 5, sentence.taken))
  const measure = gathering.measure(0.75)
  if (measure === null) return null
  const at =
    tokens[role[1]]?.low === 'of' || tokens[role[1]]?.low === 'at'
      ? nounsAfter(tokens, role[1] + 1, tokens.length, sentence.taken)
      : null
  const body =
    at === null
      ? undefined
      : sentence.names.find((each) => each.run[0] >= at[0] && each.run[1] <= at[1] && each !== name)
  const draft = describe(said, { ...measure, name: body ?? null, whole: body === undefined, run: role }, role)
  const [first, last] = [tokenAt(tokens, name.run[0]), tokenAt(tokens, name.run[1] - 1)]
  return claimFrom(scene.text, {
    ...draft,
    kind: 'identity',
    value: { type: 'name', words: name.words },
    valueSpan: [first.start, last.end],
    period: tenure(sentence, said.place, role[1]),
    replaces: replacedBy(sentence, name),
  })
}

const handing = new Set('from succeeding succeeds succeeded replacing replaces replaced place'.split(' '))

/** "took over from Y", "in place of Y", "succeeding Y". */
export function replacedBy({ tokens, names }: Sentence, name: Name): Claim['replaces'] {
  for (const other of names) {
    if (other === name) continue
    const before = tokens.slice(Math.max(0, other.run[0] - 2), other.run[0])
    if (before.some((token) => handing.has(token.low)))
      return { value: { type: 'name', words: other.words }, by: 'change' }
  }
  return null
}

const entering = new Set('took appointed became elected named replaced succeeded joined'.split(' '))

/** From when a role is held: "since 2019", "appointed on 1 May"; other dates in the sentence are of other things. */
function tenure(sentence: Sentence, place: ClaimPosition, at: number): Claim['period'] {
  const { tokens } = sentence
  const enters = tokens.some(
    ({ low }, index) =>
      entering.has(low) ||
      ((low === 'since' || low === 'from' || low === 'as') && sentence.taken(index + (low === 'as' ? 2 : 1))),
  )
  return enters ? sincePeriod(sentence, place, at) : null
}
