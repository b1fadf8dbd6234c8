/** Compares what is said of a document that cannot be read, or not whole, with what its maker knows of it. */
import type { Place } from '../../harness/places.ts'
import { sumOf } from '../../harness/statistics.ts'
import type { TrialDocument } from './kinds.ts'
import { declare, findLastClaim, listDocuments, readConvergence, readDocument } from './stage.ts'
import type { Item, TruthReport, TruthStage } from './stage.ts'

export interface Trial extends TrialDocument {
  readonly id: string
  readonly place: Place
}

/** A sentence for each part that is wrong; empty where all is right. */
export interface TruthVerdict {
  readonly report: readonly string[]
  readonly convergence: readonly string[]
  readonly blocker: readonly string[]
  /** The scope was certified all the same. */
  readonly certified: readonly string[]
  /** It was refused without a word about the document. */
  readonly refusal: readonly string[]
}

export async function judge(stage: TruthStage, trial: Trial): Promise<TruthVerdict> {
  const { place, id, expected } = trial
  const name = `${trial.kind} (${place.scopeId})`
  const [document, listed, convergence] = await Promise.all([
    readDocument(stage, place, id),
    listDocuments(stage, place),
    readConvergence(stage, place),
  ])
  const { parts, blockers } = convergence
  const isContested = blockers.some(({ kind }) => kind === 'contradiction_open')
  const named = blockers.filter((blocker) => blocker.id === id).map(({ kind }) => kind)
  const { status, errors } = await declare(stage, place)
  const refused = errors.some(
    ({ pointer, code }) => pointer === `/documents/${id}` && code === expected.blocker,
  )
  const faults = await findFaults(stage, trial, document, listed)
  const say = (isRight: boolean, what: string) => (isRight ? [] : [`${name}: ${what}`])
  return {
    report: say(faults.length === 0, faults.join('; ')),
    convergence: say(
      parts.coverage === coverageOf(listed) && (isContested || parts.agreement === agreementOf(listed)),
      `${JSON.stringify(parts)}, not ${coverageOf(listed)} and ${agreementOf(listed)}`,
    ),
    blocker: say(
      named.length === 1 && named[0] === expected.blocker,
      `named as [${named.join(', ')}], not ${expected.blocker}`,
    ),
    certified: say(status !== 200 && status !== 201, 'certified'),
    refusal: say(status === 409 && refused, `answered ${status} with ${JSON.stringify(errors)}`),
  }
}

/** A document that is alone in its scope was compared with nothing: says what is wrong where it looks otherwise. */
export async function judgeAlone(stage: TruthStage, place: Place): Promise<string[]> {
  const [listed, { state, parts }] = await Promise.all([
    listDocuments(stage, place),
    readConvergence(stage, place),
  ])
  const { status, errors } = await declare(stage, place)
  const isRefused = status === 409 && errors.some(({ code }) => code === 'unassessed')
  if (state === 'unassessed' && parts.agreement === agreementOf(listed) && isRefused) return []
  return [
    `${place.scopeId}: ${state}, agreement ${parts.agreement}, answered ${status} with ${JSON.stringify(errors)}`,
  ]
}

/** In millionths, rounded down. */
export function coverageOf(items: readonly Item[]): number {
  const read = sumOf(items, ({ reading }) => reading?.characters_read ?? 0)
  const all = sumOf(items, ({ reading }) => reading?.characters ?? 0)
  return Math.floor((1e6 * read) / all) / 1e6
}

/** Agreement over the compared claims, or over a tenth of all claims where less was compared; nothing is contested. In millionths, rounded down. */
export function agreementOf(items: readonly Item[]): number {
  const compared = sumOf(items, ({ reading }) => reading?.claims_compared ?? 0)
  const all = sumOf(items, ({ reading }) => reading?.claims ?? 0)
  return Math.floor((1e6 * compared) / Math.max(compared, Math.ceil(all / 10))) / 1e6
}

async function findFaults(
  stage: TruthStage,
  trial: Trial,
  { reading, status }: Item,
  listed: readonly Item[],
): Promise<string[]> {
  if (status !== 'processed' || reading === null) return [`it is ${status}, without a report`]
  const inList = listed.find((item) => item.document_id === trial.id)?.reading
  const isListed = JSON.stringify(inList) === JSON.stringify(reading)
  const { expected, text } = trial
  const lastClaim = expected.reason === 'limit' ? await findLastClaim(stage, trial.place, trial.id) : 0
  const unread = reading.characters - reading.characters_read
  const off = Math.abs(unread - expected.unread(lastClaim))
  const checks: readonly (readonly [boolean, string])[] = [
    [isListed, 'the list says something else than the document'],
    [reading.read === expected.read, `read ${reading.read}, not ${expected.read}`],
    [reading.format === expected.format, `format ${reading.format}, not ${expected.format}`],
    [(expected.language ?? reading.language) === reading.language, `language ${reading.language}`],
    [reasonsOf(reading) === (expected.reason ?? ''), `reasons [${reasonsOf(reading)}]`],
    [reading.characters === Array.from(text).length, `${reading.characters} characters`],
    [off <= expected.tolerance, `${unread} characters unread, which is off by ${off}`],
    [addsUp(reading), 'characters or passages do not add up'],
    [reading.claims > 0 === expected.hasClaims, `${reading.claims} claims`],
  ]
  return checks.flatMap(([isRight, what]) => (isRight ? [] : [what]))
}

export function reasonsOf({ unread }: TruthReport): string {
  return unread.map(({ reason }) => reason).join(', ')
}

export function addsUp({
  characters,
  characters_read,
  passages,
  passages_read,
  unread,
}: TruthReport): boolean {
  return (
    characters_read + sumOf(unread, (part) => part.characters) === characters &&
    passages_read + sumOf(unread, (part) => part.passages) === passages
  )
}
