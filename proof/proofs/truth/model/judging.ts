/** Compares what is said of a document that a language model read with what its maker knows of it. */
import { requestAll } from '../../../harness/http.ts'
import type { Place } from '../../../harness/places.ts'
import { addsUp, agreementOf, coverageOf, reasonsOf } from '../judging.ts'
import { asTenant, declare, listDocuments, readConvergence, readDocument } from '../stage.ts'
import type { Item, TruthStage } from '../stage.ts'
import type { ModelTrialDocument } from './kinds.ts'

export interface ModelTrial extends ModelTrialDocument {
  readonly id: string
  readonly place: Place
}

/** A sentence for each part that is wrong; empty where all is right. */
export interface ModelVerdict {
  readonly report: readonly string[]
  /** Sentences with a figure that the text has and no claim tells, in a document that was read. */
  readonly missing: readonly string[]
  /** Claims whose quote is not in the text. */
  readonly invented: readonly string[]
  readonly blocker: readonly string[]
  readonly convergence: readonly string[]
  /** It was certified although something was not read or not compared, or was not although all was. */
  readonly certificate: readonly string[]
}

interface ListedClaim {
  readonly quote: string
  readonly start: number
  readonly end: number
}

export async function judgeByModel(stage: TruthStage, trial: ModelTrial): Promise<ModelVerdict> {
  const { place, id, expected } = trial
  const [document, listed, convergence, claims] = await Promise.all([
    readDocument(stage, place, id),
    listDocuments(stage, place),
    readConvergence(stage, place),
    requestAll<ListedClaim>(stage.url, asTenant(place, `claims?document_id=${id}`)),
  ])
  const wanted = expected.blocker
  const named = convergence.blockers
    .filter((blocker) => blocker.id === id || blocker.id === place.scopeId)
    .map(({ kind }) => kind)
  const { status, errors } = await declare(stage, place)
  const isRight =
    wanted === null ? status === 201 : status === 409 && errors.some(({ code }) => code === wanted)
  const faults = findFaults(trial, document, listed)
  const say = (isFine: boolean, what: string) => (isFine ? [] : [`${trial.kind} (${place.scopeId}): ${what}`])
  const { parts } = convergence
  const points = Array.from(trial.text)
  const invented = claims.filter(({ quote, start, end }) => points.slice(start, end).join('') !== quote)
  const missing = countMissing(trial, claims)
  return {
    report: say(faults.length === 0, faults.join('; ')),
    missing: say(missing === 0, `${missing} sentences with a figure are in no claim`),
    invented: say(invented.length === 0, invented.map(({ quote }) => quote).join('; ')),
    blocker: say(named.join() === (wanted ?? ''), `blocked by [${named.join(', ')}], not ${wanted}`),
    convergence: say(
      parts.coverage === coverageOf(listed) && parts.agreement === agreementOf(listed),
      `${JSON.stringify(parts)}, not ${coverageOf(listed)} and ${agreementOf(listed)}`,
    ),
    certificate: say(isRight, `a certificate is answered ${status} with ${JSON.stringify(errors)}`),
  }
}

function findFaults({ expected, text }: ModelTrial, document: Item, listed: readonly Item[]): string[] {
  const { reading, status } = document
  if (status !== 'processed' || reading === null) return [`it is ${status}, without a report`]
  const inList = listed.find(({ document_id: id }) => id === document.document_id)?.reading
  const unread = reading.characters - reading.characters_read
  const [least, most] = expected.unread
  const checks: readonly (readonly [boolean, string])[] = [
    [JSON.stringify(inList) === JSON.stringify(reading), 'the list says something else than the document'],
    [reading.reader === 'model', `read by ${reading.reader}`],
    [reading.read === expected.read, `read ${reading.read}, not ${expected.read}`],
    [reading.format === expected.format, `format ${reading.format}, not ${expected.format}`],
    [(expected.language ?? reading.language) === reading.language, `language ${reading.language}`],
    [reasonsOf(reading) === (expected.reason ?? ''), `reasons [${reasonsOf(reading)}]`],
    [reading.characters === Array.from(text).length, `${reading.characters} characters`],
    [unread >= least && unread <= most, `${unread} characters unread, not ${least} to ${most}`],
    [addsUp(reading), 'characters or passages do not add up'],
    [reading.quotes_dropped === expected.dropped, `${reading.quotes_dropped} quotes dropped`],
    [(expected.claims ?? reading.claims) === reading.claims, `${reading.claims} claims`],
  ]
  return checks.flatMap(([isRight, what]) => (isRight ? [] : [what]))
}

/** Only where all is read does each sentence have to be told. */
function countMissing({ expected, text }: ModelTrial, claims: readonly ListedClaim[]): number {
  if (expected.read !== 'whole') return 0
  const told = new Set(claims.map(({ quote }) => quote))
  return text
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\d/.test(sentence) && !told.has(sentence)).length
}
