/**
 * Words that gainsay each other: each stands for one concept and one side of it, so that "approved" and "rejected", or
 * "valid" and "invalid", differ in the side alone. General English only; a word with two meanings stays out.
 */
import { canonical } from '@concord/reading/src/words/canon.ts'

/** A concept, and whether the word is on its denying side. */
export interface OppositeSide {
  readonly concept: string
  readonly denies: boolean
}

/** Affirming words, a stroke, denying words. The first word names the concept. */
const pairs = `
increase rise grow climb surge | decrease fall decline drop shrink diminish dwindle reduce reduction
improve improvement | deteriorate deterioration worsen
higher | lower
above exceed exceeds exceeding outside beyond | below within inside
before prior | after
include contain includes | exclude omit
approve accept authorise authorize agree | reject refuse disapprove disagree
permit allow | prohibit forbid ban disallow prohibition
confirm | deny refute
pass succeed success | fail failure
present | absent absence missing
valid | expired lapsed revoked
open | close closed shut
active operational | inactive dormant
enable | disable
comply compliant compliance conform | breach violate violation infringe noncompliant non-compliant
keep retain | delete destroy discard erase
add | remove
mandatory require compulsory obligatory need | optional voluntary
true | false untrue
correct | wrong incorrect
accurate | inaccurate
same identical | different
strong robust | weak
support | oppose
continue | discontinue cease stop
win | lose
positive | negative
profit | loss
likely probable | unlikely improbable
able | unable
early | late
safe | unsafe hazardous dangerous
stable | unstable volatile
solvent | insolvent
occupied | vacant unoccupied
full | empty
paid | unpaid overdue
disclose | conceal withhold
resolve settle | unresolved outstanding unsettled
independent | dependent
strengthen | weaken
widen | narrow
upward upwards | downward downwards
upgrade | downgrade
overstate | understate
more | less fewer
high | low
dry | wet damp
clean | dirty
intact undamaged | broken damage
manual | automatic
permanent | temporary
`

/** The words that `in-`, `im-`, `il-`, `ir-` and `dis-` deny; before other words they often mean something else. */
const deniableWords = `adequate sufficient effective active complete accurate consistent correct valid eligible
  compatible appropriate dependent visible secure frequent accessible admissible applicable coherent competent
  conclusive curable decisive definite efficient equitable flexible formal operable proper possible practical precise
  probable mature moderate measurable perfect legal legible logical regular relevant reversible responsible agree
  approve allow continue connect satisfied qualify qualified similar honest engage able proportionate loyal organised
  organized proven trust tolerant voluntary sensitive solvent significant capable attentive convenient credible compliant
  conform`

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const deniableBy = set(deniableWords)

/** Words that begin like a denial and are none. */
const plainUn =
  set(`under union unit unite united unified unify unique universal university until unanimous unto uncle
  uniform unless underlying unicorn universe unison undertake understand undertaken understood undergo underwrite
  underwritten underperform underpin undermine unload unfold unlock unveil unveiled unwind`)

/** Endings are undone with and without a silent e, so words are held against each other without it. */
export function stemOf(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word
}

/** Its stem, unless the word is folded into another one: what expired has come to its end, but an end is no expiry. */
function ownStem(word: string): string[] {
  const stem = stemOf(canonical(word))
  return stem.slice(0, 3) === word.slice(0, 3) ? [stem] : []
}

function sidesOf(line: string): (readonly [string, OppositeSide])[] {
  const [affirming = '', denying = ''] = line.split('|')
  const first = affirming.trim().split(' ')[0] ?? ''
  const concept = stemOf(canonical(first))
  const of = (words: string, denies: boolean) =>
    words
      .trim()
      .split(' ')
      .flatMap((word) => [word, ...ownStem(word)])
      .map((word) => [word, { concept, denies }] as const)
  return [...of(denying, true), ...of(affirming, false)]
}

const table: ReadonlyMap<string, OppositeSide> = new Map([
  ...[...deniableBy].flatMap((word) => sidesOf(word)),
  ...pairs
    .split('\n')
    .filter((line) => line !== '')
    .flatMap(sidesOf),
])

const remembered = new Map<string, OppositeSide | null>()
const maxRemembered = 20_000

/** The concept a word stands for and its side of it, or null where no other word gainsays it. */
export function sideOf(low: string): OppositeSide | null {
  const before = remembered.get(low)
  if (before !== undefined) return before
  const side = known(low) ?? denied(low)
  if (remembered.size >= maxRemembered) remembered.clear()
  if (low.length <= 40) remembered.set(low, side)
  return side
}

function known(low: string): OppositeSide | null {
  const adverb = low.length > 5 && low.endsWith('ly') ? table.get(low.slice(0, -2)) : undefined
  return table.get(low) ?? table.get(stemOf(canonical(low))) ?? adverb ?? null
}

/** "unencrypted", "non-exclusive", "insufficient", "disagreed": the word without what denies it. */
function denied(low: string): OppositeSide | null {
  const bare = withoutPrefix(low)
  if (bare === null) return null
  const side = known(bare)
  return side === null
    ? { concept: stemOf(canonical(bare)), denies: true }
    : { concept: side.concept, denies: !side.denies }
}

const shortestBare = 4

function withoutPrefix(low: string): string | null {
  if (low.startsWith('non-') && low.length - 4 >= shortestBare) return low.slice(4)
  if (low.startsWith('un') && !plainUn.has(low) && !low.startsWith('under'))
    return isDescription(low) ? low.slice(low.startsWith('un-') ? 3 : 2) : null
  if (/^i[nmlr]/.test(low)) return deniable(low.slice(2))
  return low.startsWith('non') || low.startsWith('dis') ? deniable(low.slice(3)) : null
}

const descriptions =
  /(?:ed|able|ible|ful|ent|ant|al|ary|ive|own|fit|safe|clear|fair|equal|true|paid|sold|ly|met|ain|en)$/

/** Participles and adjectives: what else begins with `un` is rarely a denial. */
function isDescription(low: string): boolean {
  return low.length >= 6 && descriptions.test(low)
}

function deniable(bare: string): string | null {
  const base = bare.endsWith('ly') ? bare.slice(0, -2) : bare
  return deniableBy.has(base) || deniableBy.has(canonical(bare)) ? bare : null
}
