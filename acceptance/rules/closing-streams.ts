/** A stream lives as long as the credential that opened it, and not longer. */
import { waitUntil } from '@concord/tools/launch'
import { describe, expect, it } from 'vitest'
import type { AcceptanceEventStream } from '../http/event-stream.ts'
import type { Subject } from '../subject.ts'
import { expireKey, issueKey, revokeKey } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'

/** `open` opens a stream with this key of the owner. The tests wait, so they wait at the same time. */
export function describeClosing(
  subject: Subject,
  owner: () => Tenant,
  open: (key: string) => Promise<AcceptanceEventStream>,
): void {
  const ends: readonly (readonly [string, (tenant: Tenant, keyId: string) => Promise<unknown>])[] = [
    ['revoked', revokeKey],
    ['expired', expireKey],
  ]
  describe.concurrent(`${subject.operation.name}: the end of a stream`, () => {
    it.each(ends)('comes within 5 s once its key is %s, and to no other stream', async (_, end) => {
      const { api_key: key, key_id: keyId } = await issueKey(owner())
      using stream = await open(key)
      using other = await open(owner().key)
      await end(owner(), keyId)
      await waitUntil(() => stream.hasEnded(), { what: 'the end of the stream', withinMs: 5_000 })
      expect(other.hasEnded()).toBe(false)
    })
  })
}
