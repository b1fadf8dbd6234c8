/** getControlPlaneHealth: the parts that decide and carry, under its path and under the deprecated one. */
import { describe, expect, it } from 'vitest'
import { describeDeprecatedAlias } from '../../rules/deprecated-alias.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import type { SubjectCall } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { bearer } from '../../world/tenants.ts'

const subject = createSubject('getControlPlaneHealth')
const good = () => ({ headers: bearer(theTarget().internalsKey) })

async function expectHealthy(call: SubjectCall): Promise<void> {
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

describeDeprecatedAlias(subject, '/internals/control-plane/health', expectHealthy)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
