/**
 * A key with a bad checksum is refused without asking the database. Shown by taking the registry away: while its table
 * is locked, whoever asks it waits. Bad checksums are answered all the same; a well-formed key, asked as a control, is not.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Figures } from '../../harness/figures.ts'
import { unknownKey, withBadChecksum } from '../../harness/forged-keys.ts'
import { sum } from '../../harness/statistics.ts'
import type { Stage } from './stage.ts'

const TIERS = [
  { path: '/api/scopes', letter: 't' },
  { path: '/admin/health', letter: 'a' },
  { path: '/internals/health', letter: 'i' },
] as const
const LANES = 4
/** How long the registry stays locked at a time: far below the time after which the service answers for it with 503. */
const LOCKED_MS = 1_500

type Round = Awaited<ReturnType<typeof askWhileLocked>>

/** `requests` for each tier, in as many rounds as the machine needs: how fast they are answered is not the question. */
export async function proveLookups(stage: Stage, figures: Figures, requests: number): Promise<void> {
  const rounds: Round[] = []
  const total = (which: 'asked' | 'refused', tier: number) =>
    sum(rounds.map((round) => round[which][tier] ?? 0))
  const left = () => TIERS.map((_, tier) => requests - total('asked', tier))
  while (left().some((each) => each > 0)) {
    const round = await askWhileLocked(stage, left())
    rounds.push(round)
    // Asking on would tell nothing more.
    if (round.refused.every((each) => each === 0)) break
  }
  for (const [at, { path }] of TIERS.entries()) {
    figures.atLeast(`bad checksums on ${path} while the registry is locked`, total('asked', at), requests)
    figures.atMost('of these, not refused before it was free', total('asked', at) - total('refused', at), 0)
  }
  const early = rounds.filter(({ waited }) => !waited).length
  figures.exactly('well-formed keys that did not wait for it', early, 0)
  const strange = rounds.filter(({ control }) => control !== 401).length
  figures.atMost('of these, answered otherwise than with 401 once it was free', strange, 0)
}

/** For each tier, the requests with a bad checksum, and those refused before the registry was free again. */
async function askWhileLocked(stage: Stage, requests: readonly number[]) {
  const { services, deployment, clients } = stage
  return asSuperuser(
    services,
    async (client) => {
      await client.query('begin')
      await client.query('lock table keys in access exclusive mode')
      const asked = clients[0].send({ path: '/api/scopes', bearer: unknownKey('t') })
      const until = performance.now() + LOCKED_MS
      const fires = TIERS.map((tier, at) => fire(stage, tier, requests[at] ?? 0, until))
      // Those that left in time are waited for, and whoever asked the registry waits as long as it is locked.
      await Promise.race([Promise.all(fires.map(({ done }) => done)), delay(2 * LOCKED_MS)])
      const refused = fires.map(({ statuses }) => statuses.filter((status) => status === 401).length)
      const waited = await Promise.race([asked.then(() => false), delay(1, true)])
      await client.query('rollback')
      await Promise.all(fires.map(({ done }) => done))
      const counts = fires.map(({ statuses }) => statuses.length)
      return { asked: counts, refused, waited, control: (await asked).status }
    },
    deployment.databaseName,
  )
}

function fire({ clients }: Stage, { path, letter }: (typeof TIERS)[number], requests: number, until: number) {
  const statuses: number[] = []
  let asked = 0
  const lane = async () => {
    while (asked < requests && performance.now() < until) {
      asked += 1
      const bearer = withBadChecksum(unknownKey(letter))
      statuses.push((await clients[0].send({ path, bearer })).status)
    }
  }
  return { statuses, done: Promise.all(Array.from({ length: LANES }, lane)) }
}
