/** pauseRuntime of one scope: nothing new starts once it is answered. */
import { describe, expect, it } from 'vitest'
import { expectWaiting } from '../../rules/runtime-moves.ts'
import { describeAdminRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'
import { untilEnded } from '../../world/documents.ts'
import { move, scopeSwitch } from '../../world/runtime.ts'
import { createScope, createTenant } from '../../world/tenants.ts'

const subject = createSubject('pauseRuntime')

describe('pauseRuntime: work', () => {
  it.each(['start', 'resume', 'restart'] as const)(
    'waits in that scope and goes on in others, until %s lets it run',
    async (release) => {
      const tenant = await createTenant()
      const [{ scope_id: scopeId }, { scope_id: running }] = [
        await createScope(tenant),
        await createScope(tenant),
      ]
      subject.expectAnswer(await subject.call(scopeSwitch(tenant, scopeId).call), 200)
      const documentId = await expectWaiting(tenant, scopeId, { tenant, scopeId: running })
      await move(scopeSwitch(tenant, scopeId), release)
      const document = await untilEnded(tenant, scopeId, documentId)
      expect(document).toMatchObject({ status: 'processed', attempt: 1 })
    },
  )
})

describeAdminRuntime(subject, 'pause')
