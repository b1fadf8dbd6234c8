/** getKernelHealth: does work move, and who is there to move it. */
import { waitUntil } from '@concord/tools/launch'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { completeDocument } from '../../world/documents.ts'
import { bearer } from '../../world/tenants.ts'

const subject = createSubject('getKernelHealth')
const good = () => ({ headers: bearer(theTarget().internalsKey) })
const ask = async (url: string) => subject.expectAnswer(await subject.call({ ...good(), url }), 200)

describe('getKernelHealth: 200', () => {
  beforeAll(completeDocument)

  it.each(theTarget().urls)('says at %s that work moves, and shows every part answering', async (url) => {
    const body = await ask(url)
    expect(body).toMatchObject({ status: 'ok', moving: true })
    expect(body.probes.map(({ name, ok, detail }) => ({ name, ok, detail }))).toEqual([
      { name: 'database', ok: true, detail: null },
      { name: 'broker', ok: true, detail: null },
      { name: 'migrations', ok: true, detail: null },
      { name: 'dispatcher', ok: true, detail: null },
    ])
    for (const { latency_ms: latency, age_ms: age } of body.probes) {
      expect(latency).toEqual(expect.any(Number))
      // Found out a second ago at most, and sent over a busy machine.
      expect(age).toBeLessThan(5_000)
    }
    expect(body.dispatcher_lag_ms).toBeLessThan(10_000)
    expect(body.audit?.head).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each(theTarget().urls)('knows at %s of a worker and a dispatcher that live', async (url) => {
    const roles = await waitUntil(
      async () => {
        const living = (await ask(url)).workers.filter(({ alive }) => alive)
        const found = new Set(living.map(({ role }) => role))
        return found.has('worker') && found.has('dispatcher') && found
      },
      { what: 'hearing of both', withinMs: 10_000 },
    )
    expect(roles).toContain('worker')
  })

  it.each(theTarget().urls)('hears at %s of what was just completed', async (url) => {
    const completed = await waitUntil(
      async () => {
        const { last_completion_age_ms: age } = await ask(url)
        return age !== null && age < 60_000 && { age }
      },
      { what: 'hearing of a completion', withinMs: 10_000 },
    )
    expect(completed.age).toBeGreaterThanOrEqual(0)
  })
})

describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
