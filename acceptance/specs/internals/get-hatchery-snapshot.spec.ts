/** getHatcherySnapshot: every process of the kernel, as it says of itself, under its path and under the deprecated one. */
import { waitUntil } from '@concord/tools/launch'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeDeprecatedAlias } from '../../rules/deprecated-alias.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import type { SubjectCall } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { completeDocument } from '../../world/documents.ts'
import { bearer } from '../../world/tenants.ts'

const subject = createSubject('getHatcherySnapshot')
const good = () => ({ headers: bearer(theTarget().internalsKey) })
const ask = async (call: SubjectCall) => subject.expectAnswer(await subject.call(call), 200)

/** A worker that was just started is heard within a second. */
async function expectWorkers(call: SubjectCall): Promise<void> {
  const snapshot = await waitUntil(
    async () => {
      const body = await ask(call)
      const heard = new Set(body.workers.filter(({ state }) => state !== 'lost').map(({ role }) => role))
      return heard.has('worker') && heard.has('dispatcher') && body
    },
    { what: 'hearing of a worker and a dispatcher', withinMs: 10_000 },
  )
  const role = snapshot.roles.find((each) => each.role === 'worker')
  expect(role?.running).toBeGreaterThan(0)
  // Nobody hatches here: those who run were started one by one.
  expect(role).toMatchObject({ wanted: null, min: null, max: null, starting: 0, decisions: [] })
  for (const worker of snapshot.workers) {
    expect(worker.hatchery_id).toBeNull()
    expect(Date.parse(worker.since)).toBeLessThan(Date.now())
    expect(worker.memory_bytes).toBeGreaterThan(10_000_000)
  }
  expect(snapshot.hatcheries).toEqual([])
}

describe('getHatcherySnapshot: 200', () => {
  beforeAll(completeDocument)

  it.each(theTarget().urls)('tells at %s of every process that was heard', async (url) => {
    await expectWorkers({ ...good(), url })
  })

  it.each(theTarget().urls)('tells at %s what came, what waits and what a worker does', async (url) => {
    const role = await waitUntil(
      async () => {
        const { roles, workers } = await ask({ ...good(), url })
        const processed = workers.reduce((sum, worker) => sum + worker.processed, 0)
        const found = roles.find((each) => each.role === 'worker')
        return processed > 0 && found?.arrival_rate !== null && found
      },
      { what: 'figures of a completed document', withinMs: 10_000 },
    )
    expect(role?.waiting).toBeGreaterThanOrEqual(0)
    expect(role?.utilisation).toBeGreaterThanOrEqual(0)
    expect(role?.utilisation).toBeLessThanOrEqual(1)
  })
})

describeDeprecatedAlias(subject, '/internals/hatchery/snapshot', expectWorkers)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
