import { beforeEach, describe, expect, it } from 'vitest'
import { createAttempts } from '../../src/app/processing/attempts.ts'
import type { Attempts } from '../../src/app/processing/attempts.ts'
import { openClaim } from '../../src/app/documents/claim-seals.ts'
import { createIngest } from '../../src/app/documents/ingest.ts'
import { createScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import type { ScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import type { LocatedClaim } from '../../src/domain/claim.ts'
import { PLAIN_LAYOUT } from '../../src/domain/file-layout.ts'
import type { FileLayout } from '../../src/domain/file-layout.ts'
import type { ReadingOutcome } from '../../src/domain/attempt.ts'
import { MAX_ATTEMPTS, MAX_STARTS, retryDelayMs } from '../../src/domain/retry.ts'
import { selectClaims } from '../../src/store/documents/claims.ts'
import { inTenant } from '../../src/store/transaction.ts'
import { runAttempt } from '../../src/worker/attempt.ts'
import type { AttemptDeps } from '../../src/worker/attempt.ts'
import type { Delivery } from '../../src/worker/delivery.ts'
import { decodeReading, encodeReading } from '../../src/worker/reading.ts'
import type { Reading } from '../../src/worker/reading.ts'
import { statement } from '../support/claims.ts'
import { useDatabase } from '../support/database.ts'
import { documentRow, documentsDeps, look, pictureOf, dispatchAll, storyOf } from '../support/documents.ts'
import { nextGeneration } from '../support/generations.ts'
import { createMemoryLog } from '../support/log.ts'
import { auditor, makeScope, makeTenant, masterKeys } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { policiesOf } from '../support/policies.ts'
import { usePools } from '../support/pools.ts'
import { makeReport } from '../support/reading-reports.ts'
import { removeDocument } from '../../src/app/documents/documents.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
const CANARY = 'canary words of the document'

let tenant: TestTenant
/** The events, in order. */
let story: string[]
let announced: string[]
let begun: number[]
let log: ReturnType<typeof createMemoryLog>
let seals: ScopeSeals

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  story = []
  announced = []
  begun = []
  log = createMemoryLog()
  seals = createScopeSeals({ pool: worker().tenant, masterKeys })
})

const structure = { passages: [{ sentences: ['one', 'two'] }, {}, { sentences: ['three'] }] }
const done: ReadingOutcome<Reading> = {
  kind: 'done',
  result: decodeReading(Buffer.from(encodeReading(structure, makeReport()))),
  ms: 1,
}
const failed: ReadingOutcome<Reading> = { kind: 'failed', reason: 'threw', detail: 'It threw.' }

type Read = AttemptDeps['read']

/** The real thing, with every commit noted in the story. */
function noted(attempts: Attempts): Attempts {
  return {
    ...attempts,
    async start(place) {
      const answer = await attempts.start(place)
      story.push(answer.outcome)
      return answer
    },
    async complete(result) {
      const outcome = await attempts.complete(result)
      story.push(`${outcome} ${result.verdict}`)
      return outcome
    },
  }
}

const depsWith = (read: Read): AttemptDeps => ({
  attempts: noted(
    createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: MAX_STARTS,
    }),
  ),
  seals,
  policies: policiesOf(worker().tenant),
  read,
  announceEvents: (tenantId, scopeId) => void announced.push(`${tenantId} ${scopeId}`),
  started: (attempt) => void begun.push(attempt),
  random: () => 0.5,
  log: log.log,
})

const run = (delivery: Delivery, read: Read = async () => done) => runAttempt(depsWith(read), delivery)

/** A delivery that writes down what is done with it. */
const deliveryOf = (message: Delivery['message']): Delivery => ({
  message,
  ack: () => void story.push('ack'),
  working: () => void story.push('working'),
  retryIn: (ms) => void story.push(`again in ${ms}`),
})

/** Sent, sealed, and released: as the broker hands it over. */
async function deliver(text = CANARY, layout?: FileLayout): Promise<Delivery> {
  await send(text, layout)
  const [place] = await dispatchAll(worker(), tenant)
  if (!place) throw new Error('nothing was released')
  return deliveryOf(place)
}

const send = (text: string, layout?: FileLayout) =>
  createIngest({ pool: api().tenant, ...documentsDeps(api()) }).ingestDocument(tenant.caller, {
    scopeId: 'default',
    documentId: 'report',
    name: 'Annual report',
    type: 'txt',
    text,
    characters: text.length,
    source: null,
    idempotencyKey: null,
    ...(layout && { layout }),
  })

const row = () => documentRow(database(), { tenantId: tenant.tenantId, documentId: 'report' })

describe('an attempt that ends as processed', () => {
  it('reads the sent text, stores the reading sealed, and counts its content', async () => {
    const tasks: unknown[] = []
    const delivery = await deliver()
    expect(
      await run(delivery, async (task) => {
        tasks.push(task)
        return done
      }),
    ).toBe('processed')
    expect(tasks).toEqual([
      { id: delivery.message.ticket, text: CANARY, failedBefore: false, priority: false },
    ])
    const [reading] = await look<{ sealed: Buffer }>(
      database(),
      'select passages, sentences, sealed from readings where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(reading).toMatchObject({ passages: 3, sentences: 3 })
    const seal = await seals.get(tenant.tenantId, 'default')
    const opened: unknown = JSON.parse(
      String(seal.open('reading 1', 'report', reading?.sealed ?? Buffer.of())),
    )
    expect(opened).toEqual(structure)
    expect(await row()).toMatchObject({ status: 'processed', attempt: 1 })
  })

  it('is acknowledged only after the commit, and then announced', async () => {
    await run(await deliver())
    expect(story).toEqual(['claimed', 'settled processed', 'ack'])
    expect(begun).toEqual([1])
    expect(announced).toEqual([`${tenant.tenantId} default`])
  })

  it.each(['', 'é 🎉 “quotes” \r\n\t', 'x'.repeat(100_000)])(
    'hands over every text to the letter: %#',
    async (text) => {
      let seen: string | undefined
      const delivery = await deliver(text)
      await run(delivery, async (task) => {
        seen = task.text
        return done
      })
      expect(seen).toBe(text)
    },
  )
})

describe('a document that came as a file', () => {
  const layout: FileLayout = { ...PLAIN_LAYOUT, kind: 'pages', starts: [0, 20, 35] }
  const claim = statement(10)
  const withClaim: ReadingOutcome<Reading> = {
    kind: 'done',
    result: decodeReading(
      Buffer.from(encodeReading(structure, makeReport(), [{ claim, keys: [], valueKey: 'EUR 10m' }])),
    ),
    ms: 1,
  }

  async function storedClaims(): Promise<LocatedClaim[]> {
    const seal = await seals.get(tenant.tenantId, 'default')
    const rows = await inTenant(api().tenant, tenant.tenantId, (own) => selectClaims(own, 'default', {}, 10))
    return rows.map((each) => openClaim(seal, each))
  }

  it('has claims with their place in the file', async () => {
    expect(await run(await deliver(CANARY, layout), async () => withClaim)).toBe('processed')
    expect(await storedClaims()).toMatchObject([{ quote: claim.quote, location: { page: 2 } }])
  })

  it('has claims without a place if it came as text, whose layout nobody looks for', async () => {
    const deps = depsWith(async () => withClaim)
    const attempts = {
      ...deps.attempts,
      loadLayout: () => Promise.reject(new Error('a text has no layout')),
    }
    expect(await runAttempt({ ...deps, attempts }, await deliver())).toBe('processed')
    expect(await storedClaims()).toEqual([claim])
  })
})

describe('an attempt that fails', () => {
  it('is retried with a growing delay, keeps its message, and reports the reason', async () => {
    const delivery = await deliver()
    for (const attempt of [1, 2, 3, 4]) {
      story = []
      expect(await run(delivery, async () => failed)).toBe('retried')
      expect(story).toEqual(['claimed', 'settled retry', `again in ${retryDelayMs(attempt, 0.5)}`])
      expect(await row()).toMatchObject({ status: 'queued', attempt, error_code: 'threw' })
    }
    expect(announced).toEqual([])
  })

  it('is final on the last attempt: acknowledged after the commit, and announced', async () => {
    const delivery = await deliver()
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) await run(delivery, async () => failed)
    story = []
    expect(await run(delivery, async () => failed)).toBe('failed')
    expect(story).toEqual(['claimed', 'settled failed', 'ack'])
    expect(announced).toEqual([`${tenant.tenantId} default`])
    expect(await row()).toMatchObject({ status: 'failed', attempt: MAX_ATTEMPTS, error_code: 'threw' })
  })

  it.each(['threw', 'time_exceeded', 'memory_exceeded', 'crashed'] as const)(
    'because it %s is told so',
    async (reason) => {
      await run(await deliver(), async () => ({ kind: 'failed', reason, detail: 'x' }))
      expect(await row()).toMatchObject({ error_code: reason, error_stage: 'read' })
    },
  )

  it('reports `unreadable` and reads nothing if its text cannot be decrypted', async () => {
    const delivery = await deliver()
    await look(database(), `update document_versions set sealed_text = '\\x0102' where tenant_id = $1`, [
      tenant.tenantId,
    ])
    let read = false
    expect(
      await run(delivery, async () => {
        read = true
        return done
      }),
    ).toBe('retried')
    expect(read).toBe(false)
    expect(await row()).toMatchObject({ error_code: 'unreadable' })
  })

  it('fetches the new seal after a reset, without losing an attempt', async () => {
    await seals.get(tenant.tenantId, 'default')
    await nextGeneration(database(), tenant, 'default')
    expect(await run(await deliver())).toBe('processed')
  })
})

describe('an attempt that another one has replaced', () => {
  it('is stale before it begins: dropped without reading and without a write', async () => {
    const delivery = await deliver()
    const before = await pictureOf(database(), tenant)
    const late = deliveryOf({ ...delivery.message, ticket: '1' })
    expect(await run(late)).toBe('stale')
    expect(story).toEqual(['stale', 'ack'])
    expect(announced).toEqual([])
    expect(await pictureOf(database(), tenant)).toEqual(before)
  })

  it.each([
    ['a newer version', () => send('newer words')],
    ['a removal', () => removeDocument(documentsDeps(api()), tenant.caller, 'default', 'report')],
    ['a reset', () => nextGeneration(database(), tenant, 'default')],
  ])(
    'because of %s while it was read is stale: its result has no effect, and the message is left alone',
    async (_, happen) => {
      const delivery = await deliver()
      let after: string[] = []
      const end = await run(delivery, async () => {
        await happen()
        after = await pictureOf(database(), tenant)
        return done
      })
      expect(end).toBe('stale')
      // The message may by now be the lease of whoever took over.
      expect(story).toEqual(['claimed', 'stale processed'])
      expect(announced).toEqual([])
      expect(await pictureOf(database(), tenant)).toEqual(after)
    },
  )

  it('is stale after another worker took over, and the result of that worker stands', async () => {
    const delivery = await deliver()
    const end = await run(delivery, async () => {
      expect(await run(delivery)).toBe('processed')
      return failed
    })
    expect(end).toBe('stale')
    expect(await row()).toMatchObject({ status: 'processed', attempt: 2 })
    expect((await storyOf(database(), tenant)).filter((event) => event.includes('processed'))).toHaveLength(1)
  })
})

describe('an attempt whose predecessors were lost', () => {
  const lose = async (times: number, delivery: Delivery) => {
    const { attempts } = depsWith(async () => done)
    for (let attempt = 0; attempt < times; attempt += 1) await attempts.start(delivery.message)
  }

  it('starts even after more of them than may fail, because lost workers say little about the document', async () => {
    const delivery = await deliver()
    await lose(MAX_ATTEMPTS, delivery)
    expect(await run(delivery)).toBe('processed')
    expect(await row()).toMatchObject({ status: 'processed', attempt: MAX_ATTEMPTS + 1 })
  })

  it('is the last one if it fails after as many as may fail', async () => {
    const delivery = await deliver()
    await lose(MAX_ATTEMPTS, delivery)
    expect(await run(delivery, async () => failed)).toBe('failed')
    expect(await row()).toMatchObject({ status: 'failed', error_code: 'threw' })
  })

  it('is exhausted: failed, acknowledged and announced, without reading', async () => {
    const delivery = await deliver()
    await lose(MAX_STARTS, delivery)
    story = []
    expect(await run(delivery)).toBe('exhausted')
    expect(story).toEqual(['exhausted', 'ack'])
    expect(announced).toEqual([`${tenant.tenantId} default`])
    expect(await row()).toMatchObject({ status: 'failed', error_code: 'worker_lost' })
  })
})

describe('an attempt during which the database or the broker was away', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  it.each([
    ['the reader', { read: () => Promise.reject(new Error('The sandbox stopped')) }],
    ['the seals', { seals: { get: () => Promise.reject(away), forget: () => undefined } }],
    ['the database', { attempts: { start: () => Promise.reject(away) } as unknown as Attempts }],
  ] satisfies [string, Partial<AttemptDeps>][])(
    'namely %s, is abandoned: not acknowledged, and soon tried again',
    async (what, parts) => {
      const delivery = await deliver()
      let found = 0
      const onDatabaseAway = () => void (found += 1)
      expect(await runAttempt({ ...depsWith(async () => done), ...parts, onDatabaseAway }, delivery)).toBe(
        'abandoned',
      )
      expect(found, 'times that the database was found away').toBe(what === 'the reader' ? 0 : 1)
      expect(story.filter((event) => event !== 'claimed')).toEqual([`again in ${retryDelayMs(1, 0.5)}`])
      expect(announced).toEqual([])
      // Nothing is lost: whoever gets the message next goes on.
      expect(await run(delivery)).toBe('processed')
    },
  )

  it('is retried later each time it is abandoned, up to a bound', async () => {
    const delivery = await deliver()
    const stopped = () => Promise.reject(new Error('The sandbox stopped'))
    for (const times of [1, 2, 3, 4, 50]) await run({ ...delivery, times }, stopped)
    const delays = [1, 2, 3, 4, 4].map((step) => `again in ${retryDelayMs(step, 0.5)}`)
    expect(story.filter((event) => event.startsWith('again'))).toEqual(delays)
  })

  it('is retried at once if the database was not reached, however often', async () => {
    const delivery = await deliver()
    const refused = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
    for (const times of [1, 4]) await run({ ...delivery, times }, refused)
    const soon = `again in ${retryDelayMs(1, 0.5)}`
    expect(story.filter((event) => event.startsWith('again'))).toEqual([soon, soon])
  })

  it('is abandoned even if the broker cannot be reached', async () => {
    const gone = () => {
      throw new Error('closed connection')
    }
    const delivery = { ...(await deliver()), ack: gone, retryIn: gone }
    const end = await run(delivery, () => Promise.reject(new Error('The sandbox stopped'))).catch(
      (error: unknown) => error,
    )
    expect(end).toBe('abandoned')
  })

  it('is logged without content of the document', async () => {
    await run(await deliver(), () => Promise.reject(new Error('The sandbox stopped')))
    expect(log.text()).toContain('attempt abandoned')
    expect(log.text()).not.toContain('canary')
  })
})
