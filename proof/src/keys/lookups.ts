/**
 * A key with a bad checksum is refused without asking the database. Shown by taking the registry away: while its table
 * is locked, whoever asks it waits. Bad checksums are answered all the same; a well-formed key, asked as a control, is not.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Figures } from '../figures.ts'
import type { Caller, Reply } from './caller.ts'
import { unknownKey, withBadChecksum } from './forged.ts'
import type { TierLetter } from './forged.ts'
import type { Stage } from './stage.ts'

interface Tier {
  readonly path: string
  readonly letter: TierLetter
}

const TIERS: readonly Tier[] = [
  { path: '/api/scopes', letter: 't' },
  { path: '/admin/health', letter: 'a' },
  { path: '/internals/health', letter: 'i' },
]
const LANES = 4
/** Below the time after which the service gives up on a statement, which would answer the control. */
const PATIENCE_MS = 3_500

/** `requests` for each tier. */
export async function proveLookups(stage: Stage, figures: Figures, requests: number): Promise<void> {
  const { services, deployment, callers } = stage
  const [caller] = callers
  const { control, waited, refused } = await asSuperuser(
    services,
    async (client) => {
      await client.query('begin')
      await client.query('lock table keys in access exclusive mode')
      const asked = caller.ask({ path: '/api/scopes', bearer: unknownKey('t') })
      const fires = TIERS.map((tier) => fire(caller, tier, requests))
      await Promise.race([Promise.all(fires.map(({ done }) => done)), delay(PATIENCE_MS)])
      const seen = fires.map(({ replies }) => replies.filter(({ status }) => status === 401).length)
      const stillWaits = await Promise.race([asked.then(() => false), delay(1, true)])
      await client.query('rollback')
      await Promise.all(fires.map(({ done }) => done))
      return { control: await asked, waited: stillWaits, refused: seen }
    },
    deployment.databaseName,
  )
  for (const [at, { path }] of TIERS.entries())
    figures.exactly(
      `bad checksums refused on ${path} while the registry is locked`,
      refused[at] ?? 0,
      requests,
    )
  figures.exactly('well-formed keys that had to wait for it', Number(waited), 1)
  figures.exactly('their answer once it was free again', control.status, 401)
}

function fire(
  caller: Caller,
  { path, letter }: Tier,
  requests: number,
): { replies: readonly Reply[]; done: Promise<unknown> } {
  const replies: Reply[] = []
  let asked = 0
  const lane = async () => {
    while (asked < requests) {
      asked += 1
      replies.push(await caller.ask({ path, bearer: withBadChecksum(unknownKey(letter)) }))
    }
  }
  return { replies, done: Promise.all(Array.from({ length: LANES }, lane)) }
}
