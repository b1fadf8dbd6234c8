/**
 * Measures how much the time of an answer tells about a key. Three kinds of request that end at the same place in the service, so
 * that only the check of the key can differ: a valid key with another tenant's id (403), a known id with a wrong secret
 * (401), and an id that was never given out (401). They come interleaved, each triple in a drawn order, one after the
 * other on one connection: whatever else the machine does meanwhile falls on all three alike.
 *
 * The statistic is the median of the differences within each triple, which are a millisecond apart, so that what the
 * machine does falls on both sides; a median, because one pause of the machine is longer than everything measured here. It
 * is printed with its 95 % confidence interval, in per cent of a whole answer. The proof fails when a difference of more
 * than 5 % is certain, that is when the interval lies beyond 5 %: on a network far less than that is lost in the noise. The
 * width of the interval says how fine this run could see.
 */
import type { Figures } from '../../harness/figures.ts'
import type { HttpClient, HttpRequest } from '../../harness/http.ts'
import { unknownKey, withWrongSecret } from '../../harness/forged-keys.ts'
import type { Stage } from './stage.ts'
import { median, medianInterval, seededRandom } from '../../harness/statistics.ts'
import type { Interval } from '../../harness/statistics.ts'

const BOUND_PER_CENT = 5
/** The first answers pay for compilation and connections. */
const WARM_UP = 100

interface Samples {
  readonly valid: number[]
  readonly wrongSecret: number[]
  readonly unknownId: number[]
}

export async function proveTiming(
  stage: Stage,
  figures: Figures,
  samples: number,
  seed: number,
): Promise<void> {
  const random = seededRandom(seed)
  const tenant = await stage.createTenant()
  const questions = {
    valid: question(tenant.key),
    wrongSecret: question(withWrongSecret(tenant.key)),
    unknownId: question(unknownKey('t')),
  }
  const { valid, wrongSecret, unknownId } = await measure(stage.clients[0], questions, samples, random)
  figures.note('answers timed of each kind', samples)
  figures.note('median with a valid key', median(valid), ' ms')
  figures.note('median with a wrong secret', median(wrongSecret), ' ms')
  figures.note('median with an unknown id', median(unknownId), ' ms')
  compare(figures, 'wrong secret against unknown id', wrongSecret, unknownId, random)
  compare(figures, 'valid key against wrong secret', valid, wrongSecret, random)
}

/** The tenant is named wrongly on purpose: a good key is then refused where a bad one is. */
function question(bearer: string): HttpRequest {
  return { path: '/api/scopes', bearer, headers: { 'X-Tenant-ID': '00000000-0000-4000-8000-000000000000' } }
}

async function measure(
  client: HttpClient,
  questions: Readonly<Record<keyof Samples, HttpRequest>>,
  samples: number,
  random: () => number,
): Promise<Samples> {
  const times: Samples = { valid: [], wrongSecret: [], unknownId: [] }
  const expected = { valid: 403, wrongSecret: 401, unknownId: 401 }
  const kinds: readonly (keyof Samples)[] = ['valid', 'wrongSecret', 'unknownId']
  for (let round = -WARM_UP; round < samples; round += 1) {
    for (const kind of shuffled(kinds, random)) {
      const { status, ms } = await client.send(questions[kind])
      if (status !== expected[kind]) throw new Error(`a key of the kind ${kind} was answered ${status}`)
      if (round >= 0) times[kind].push(ms)
    }
  }
  return times
}

function compare(
  figures: Figures,
  what: string,
  a: readonly number[],
  b: readonly number[],
  random: () => number,
): void {
  const { middle, low, high, certain } = certainDifference(a, b, random)
  figures.note(`${what}, median difference`, middle, ' %')
  figures.note(`${what}, 95 % confidence`, `${low.toFixed(2)} to ${high.toFixed(2)} %`)
  figures.atMost(`${what}, certain difference`, certain, BOUND_PER_CENT, ' %')
}

export interface TimingDifference extends Interval {
  readonly middle: number
  /** How far the interval is from no difference at all; 0 where it holds that possibility. */
  readonly certain: number
}

/** Compares samples that belong together by their position, in per cent of their common median. */
export function certainDifference(
  a: readonly number[],
  b: readonly number[],
  random: () => number,
): TimingDifference {
  const whole = median([...a, ...b])
  const differences = a.map((value, at) => (100 * (value - (b[at] ?? Number.NaN))) / whole)
  const { low, high } = medianInterval(differences, random)
  return { middle: median(differences), low, high, certain: Math.max(0, low, -high) }
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
