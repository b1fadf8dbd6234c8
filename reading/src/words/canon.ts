/**
 * One spelling for one word: plural, tense, derivation and synonym undone, so that "expires", "expiry" and "end" meet.
 * What is unknown is left nearly as it is: a word that stays apart costs a finding, one folded wrongly makes a false one.
 */
import { irregular, synonyms } from './lexicon.ts'

const remembered = new Map<string, string>()
const maxRemembered = 20_000

/** The canonical word for one in lower case. */
export function canonical(low: string): string {
  const known = remembered.get(low)
  if (known !== undefined) return known
  const word = fold(low)
  if (remembered.size >= maxRemembered) remembered.clear()
  if (low.length <= 40) remembered.set(low, word)
  return word
}

function fold(low: string): string {
  const bare = low.includes('-') && !/\d/.test(low) ? low.replaceAll('-', '') : low
  const direct = synonyms.get(low) ?? synonyms.get(bare) ?? synonyms.get(singular(bare))
  if (direct !== undefined) return direct
  const base = irregular.get(bare) ?? nominal(verbal(singular(bare)))
  return synonyms.get(base) ?? base
}

const unchangedInS = new Set(
  `basis analysis diagnosis status bus gas premises news series species various previous always business process access
   loss gross press address success less its this has was is does us plus bonus census virus campus versus thesis crisis
   hypothesis sepsis perhaps across sales class glass mass pass progress stress express congress wellness illness
   witness fitness mattress fortress asbestos chaos analytics logistics ethics physics electronics mathematics
   economics politics statistics headquarters whereas towards afterwards always`.split(/\s+/),
)

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || unchangedInS.has(word)) return word
  if (word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const keptInIng = new Set(
  `building meeting morning evening thing anything something everything nothing wing ring king string spring sibling
   ceiling housing during holding hearing standing wedding pudding shilling sterling being bring interesting`.split(
    /\s+/,
  ),
)
const keptInEd = new Set(
  'need speed feed seed shed embed proceed exceed succeed indeed hundred breed bleed weed deed naked sacred kindred'.split(
    ' ',
  ),
)

function verbal(word: string): string {
  if (word.endsWith('ing') && word.length >= 6 && !keptInIng.has(word)) return based(word.slice(0, -3), word)
  if (word.endsWith('ied') && word.length >= 5) return `${word.slice(0, -3)}y`
  if (word.endsWith('ed') && word.length >= 5 && !keptInEd.has(word)) return based(word.slice(0, -2), word)
  return word
}

const noE = new Set(
  `treat repeat defeat heat seat float eat beat cheat format combat focus gas bring hang belong sing ring spring swing
   long monitor author anchor tailor honor honour favour labour color colour avoid void join train obtain remain contain
   maintain explain gain drain claim aim benefit credit audit edit exit limit submit permit admit commit visit deposit
   inherit profit solicit debit transit put output input cut develop visit market target budget offset reset meet
   begin win spin plan scan ban run sign assign design resign`.split(/\s+/),
)

/** The stem with what its ending took away: a doubled consonant is undone, a silent e comes back. */
function based(stem: string, whole: string): string {
  if (!/[aeiouy]/.test(stem) || stem.length < 2) return whole
  const last = stem.charAt(stem.length - 1)
  const doubled = last === stem.charAt(stem.length - 2) && !'aeiousl'.includes(last)
  if (doubled) return stem.slice(0, -1)
  if (stem.endsWith('ell') || stem.endsWith('oll')) return stem.length > 4 ? stem.slice(0, -1) : stem
  return needsE(stem) ? `${stem}e` : stem
}

const silent =
  /(?:[vcuz]|is|[aeiou]s|[^aeiou][ai]t|[^aeiou]at|[^aeiou]ut|[^aeioul]ng|[dr]g|(?:[^aeiou]|qu)(?:ir|ar|or|ur)|[^aeioulrw]l|[^aeo][iu]d|um|[^a]in|let|[^aeiou](?:ak|ik|ok|yp|ap|op|am|im|an|on|id|od|ag|eg|ib|rs|ns|iat|ot))$/

function needsE(stem: string): boolean {
  return !noE.has(stem) && silent.test(stem)
}

const keptInMent = new Set(
  `agreement department document statement apartment environment equipment instrument element moment segment comment
   basement cement supplement complement compliment government parliament experiment implement fragment monument garment
   pigment ligament torment augment payment employment management entitlement`.split(/\s+/),
)
const keptInIon = new Set(
  `information station nation ration location organisation organization application section million billion trillion
   region version union opinion mission session pension station portion option condition position motion action question
   function fraction junction mention caption auction fashion division decision provision commission permission`.split(
    /\s+/,
  ),
)

/** Stems of nouns in `-ation` whose verb ends in `-ate`; of the others the noun is the usual word. */
const actions = new Set(
  `termin alloc calcul evalu oper loc migr indic regul integr viol contamin vaccin compens deleg don duplic estim gener
   illustr investig isol medi negoti nomin particip penetr reloc renov rot transl valid ventil depreci mitig escal
   authentic communic coordin deactiv activ accumul liquid remuner segreg consolid simul stimul`.split(/\s+/),
)

/** The verb within a noun made of one: "randomisation", "inspection", "settlement". */
function nominal(word: string): string {
  if (word.length < 7) return word
  if (word.endsWith('ment')) return keptInMent.has(word) ? word : word.slice(0, -4)
  if (!word.endsWith('ion') || keptInIon.has(word)) return spelled(word)
  if (word.endsWith('isation') || word.endsWith('ization')) return `${word.slice(0, -7)}ise`
  if (word.endsWith('ification')) return `${word.slice(0, -7)}y`
  if (word.endsWith('ation')) return actions.has(word.slice(0, -5)) ? `${word.slice(0, -3)}e` : word
  if (word.endsWith('ction') || word.endsWith('ption')) return word.slice(0, -3)
  if (word.endsWith('etion') || word.endsWith('ution')) return `${word.slice(0, -3)}e`
  return word
}

function spelled(word: string): string {
  if (word.endsWith('ize')) return `${word.slice(0, -2)}se`
  return word
}
