/** Full stops that end no sentence: titles, initials, company forms, numbers of sections, months before a day. */
import { isDigit, isLower, isSpace } from './characters.ts'
import { shortMonths } from './months.ts'

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}

/** Whatever follows belongs to them. */
const binding = words(
  `mr mrs ms messrs mme mlle dr drs prof rev hon gen col capt lt sgt gov sen rep st mt e.g i.e eg ie cf vs v viz
   approx appr ca circa avv ref incl excl resp pvt pty bzw z.b d.h ggf i.d.r u.a m.e p.ex par.ex att attn`,
)

/** They bind a number: `No. 14`, but `No. We have none.` */
const numbering = new Set([
  ...words(`no nos nr art arts sec secs sect fig figs p pp para paras vol vols ch chap cl eq tab refs ver max min ss abs
            ziff rn rs reg dir doc app ann`),
  ...shortMonths,
])

/** They may end a sentence. The next word tells, if it is one that sentences begin with. */
const closing = words(
  `inc ltd co corp plc llc llp jr sr bros dept div assn univ est al a.m p.m mio mrd avg std tel ext`,
)

const starters = words(
  `a about according after all although an and any as at because before between both but by during each either every
   following for from further furthermore given he her here his how however i if in it its less many more moreover most
   neither no none nor not on once one only or our over please see she since so some such that the their then there
   therefore these they this those to two under until upon we what when where which while who why with within without
   yet you your`,
)

/** Behind these a letter is a name of its own and may well end the sentence: `annex B. Answers …` */
const lettered = words(
  `annex appendix schedule section part plan table figure item class grade phase lot exhibit axis arm category tranche
   series option group type level step clause vitamin hepatitis band case point scenario version hall room wing`,
)

const enumerator = /^(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]\d{0,3}|[ivx]{1,5}|[IVX]{1,5})$/
const initial = /^\p{Lu}$/u
const acronym = /^(?:\p{L}{1,3}\.){1,4}\p{L}{1,3}$/u

/** Whether the sentence that begins at `start` goes on at `at`, where it seemed to have ended. */
export function bindsOn(text: string, start: number, at: number): boolean {
  let end = at
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  if (text.charAt(end - 1) === '.') return bindsStop(text, start, end, at)
  // “Why now?” he asked.
  return isLower(text, at) && '"”’»\''.includes(text.charAt(end - 1))
}

function bindsStop(text: string, start: number, end: number, next: number): boolean {
  const from = tokenStart(text, start, end - 1)
  const token = text.slice(from, end - 1)
  if (token === '') return false
  if (enumerator.test(token) && /^[\s*_]*$/.test(text.slice(start, from))) return true
  const lower = token.toLowerCase()
  if (binding.has(lower)) return true
  if (numbering.has(lower) && isDigit(text.charCodeAt(next))) return true
  const open = closing.has(lower) || isInitial(text, start, from, token) || acronym.test(token)
  return open && !starters.has(wordAt(text, next))
}

function isInitial(text: string, start: number, from: number, token: string): boolean {
  // `118 micromol/L. Then …`
  if (!initial.test(token) || (from > start && text.charAt(from - 1) === '/')) return false
  const end = Math.max(start, from - 1)
  const before = text.slice(tokenStart(text, start, end), end)
  // `EUR 25 M. Then …`
  return !isDigit(before.charCodeAt(before.length - 1)) && !lettered.has(before.toLowerCase())
}

/** Back to the space or bracket before a word; no abbreviation is longer than this. */
const longest = 16

function tokenStart(text: string, start: number, end: number): number {
  const limit = Math.max(start, end - longest)
  let at = end
  while (at > limit && !isSpace(text.charCodeAt(at - 1)) && !'([{"“‘\'/*_'.includes(text.charAt(at - 1)))
    at -= 1
  return at
}

function wordAt(text: string, at: number): string {
  return /^\p{L}{1,14}/u.exec(text.slice(at, at + 15))?.[0].toLowerCase() ?? ''
}
