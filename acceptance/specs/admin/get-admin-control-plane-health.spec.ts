/** getAdminControlPlaneHealth: the parts that decide and carry, for who holds an admin or internals key. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { asAdmin } from '../../world/tenants.ts'

const subject = createSubject('getAdminControlPlaneHealth')
const good = () => ({ headers: asAdmin() })

describe('getAdminControlPlaneHealth: 200', () => {
  it.each(theTarget().urls)(
    'shows at %s every part answering, and the switch of the service',
    async (url) => {
      const body = subject.expectAnswer(await subject.call({ ...good(), url }), 200)
      expect(body).toMatchObject({ status: 'ok', runtime: { service: 'running' } })
      expect(body.probes.map(({ name, ok }) => `${name} ${ok}`)).toEqual([
        'database true',
        'broker true',
        'migrations true',
        'dispatcher true',
      ])
      expect(body.migrations.applied).toBe(body.migrations.expected)
    },
  )
})

describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
