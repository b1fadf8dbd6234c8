/** getControlPlaneHealth: the parts that decide and carry, under its path and under the deprecated one. */
import { deprecationHeaders, operations } from '@concord/contract'
import type { DeprecatedAlias } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import type { Call } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { bearer } from '../../world/tenants.ts'

const subject = createSubject('getControlPlaneHealth')
const { aliases = [] } = operations.getControlPlaneHealth
const good = () => ({ headers: bearer(theTarget().internalsKey) })

async function expectHealthy(call: Call): Promise<void> {
  const { status, probes, migrations, ...body } = subject.expectAnswer(await subject.call(call), 200)
  expect(status).toBe('ok')
  expect(probes.map(({ name, ok }) => `${name} ${ok}`)).toEqual([
    'database true',
    'broker true',
    'migrations true',
    'dispatcher true',
  ])
  expect(migrations.applied).toBe(migrations.expected)
  expect(migrations.applied).toBeGreaterThan(0)
  expect(body.runtime.service).toBe('running')
  expect(body.hatchery_heartbeat_age_ms).toBeNull()
}

describe('getControlPlaneHealth: 200', () => {
  it.each(theTarget().urls)(
    'shows at %s every part answering, and the switch of the service',
    async (url) => {
      await expectHealthy({ ...good(), url })
    },
  )
})

function describeAlias(alias: DeprecatedAlias): void {
  const headers = Object.entries(deprecationHeaders(operations.getControlPlaneHealth, alias))
  const old = (call: Call) => ({ ...call, path: alias.path })
  describe(`getControlPlaneHealth under the deprecated ${alias.path}`, () => {
    it('shows the same', async () => {
      await expectHealthy(old(good()))
    })

    it('says since when it is deprecated, until when it works, and what to use, also with a problem', async () => {
      const calls = [old(good()), old({}), old({ headers: bearer(theTarget().adminKey) })]
      const replies = await Promise.all(calls.map((call) => subject.call(call)))
      expect(replies.map(({ status }) => status)).toEqual([200, 401, 403])
      for (const reply of replies)
        for (const [name, value] of headers) expect(reply.headers[name.toLowerCase()]).toBe(value)
    })

    describePlatformEntrance(subject, () => old(good()))
  })
}

describe('getControlPlaneHealth: aliases', () => {
  it('has one', () => {
    expect(aliases.map(({ path }) => path)).toEqual(['/internals/control-plane/health'])
  })
})

for (const alias of aliases) describeAlias(alias)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
