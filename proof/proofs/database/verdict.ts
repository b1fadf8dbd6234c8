/** Judges requests and outages. Pure, so that it can be shown to notice each kind of harm. */
import type { RecordedCall } from '../../harness/history.ts'
import type { Exchange } from './askers.ts'
import type { Outage } from './outages.ts'

/** Every try to deliver a document as an exchange; what a batch shares is one, counted as often as it has documents. */
export function exchangesOf(calls: readonly RecordedCall[]): Exchange[] {
  return calls.flatMap(({ tries }) =>
    tries.map(({ at, ms = 0, what }) => ({ at, ms, what, path: '/api/ingest' })),
  )
}

/** Answers that came late, or never. */
export function findHangs(exchanges: readonly Exchange[], boundMs: number): Exchange[] {
  return exchanges.filter(({ ms, what }) => ms > boundMs || what === 'timed out')
}

/** A database that is away is a 503 and nothing else; a document that is not there is a 404 whenever one can look. */
const GOOD = new Set(['200', '202', '404', '503'])

/** Anything but what was asked for and a 503 that asks to come again. */
export function findWrong(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(({ what }) => !GOOD.has(what) && what !== 'timed out')
}

/** How long after each outage the first request succeeded; infinite where none ever did. */
export function recoveriesOf(outages: readonly Outage[], exchanges: readonly Exchange[]): number[] {
  const successes = exchanges
    .filter(({ what, path }) => path === '/api/ingest' && (what === '202' || what === '200'))
    .map(({ at, ms }) => at + ms)
    .toSorted((a, b) => a - b)
  return outages.map(({ darkUntil, overAt }) => {
    const first = successes.find((moment) => moment >= darkUntil)
    return first === undefined ? Infinity : Math.max(0, first - overAt)
  })
}

/** Successes of documents between the beginning of an outage and its end. */
export function successesDuring({ at, overAt }: Outage, exchanges: readonly Exchange[]): number {
  return exchanges.filter(
    (each) => each.at > at && each.at + each.ms < overAt && (each.what === '202' || each.what === '200'),
  ).length
}

export function describe({ at, ms, what, path }: Exchange): string {
  return `${new Date(at).toISOString()} ${path}: ${what} after ${ms} ms`
}
