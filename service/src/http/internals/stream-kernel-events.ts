import { setTimeout as delay } from 'node:timers/promises'
import { operations } from '@concord/contract'
import { followKernel, kernelHead } from '../../app/events/kernel-feed.ts'
import type { KernelFeedDeps } from '../../app/events/kernel-feed.ts'
import { toKernelFrame } from '../cloud-event.ts'
import { decodeKernelId, encodeKernelId } from '../kernel-id.ts'
import { platformStream } from '../route.ts'
import type { Route } from '../route.ts'

/**
 * How long the answer waits for the position, so that what happens after it is in the stream. While a transaction writes for longer,
 * the answer comes first, and the stream begins with the first id that is sent.
 */
const POSITION_WAIT_MS = 2_000

export function streamKernelEvents(deps: KernelFeedDeps): Route {
  return platformStream(operations.streamKernelEvents, async ({ query, headers }) => {
    const asked =
      decodeKernelId(headers['last-event-id'], 'header#/last-event-id') ??
      decodeKernelId(query.after, 'query#/after')
    const position = asked === undefined ? kernelHead(deps) : Promise.resolve(asked)
    await Promise.race([position, delay(POSITION_WAIT_MS)])
    return async (sink) => {
      const after = await position
      // A client that is cut off before the first event must know after what to go on.
      if (asked === undefined) await sink.send([{ id: encodeKernelId(after) }])
      await followKernel(deps, {
        after,
        signal: sink.signal,
        receive: (entries) =>
          sink.send(entries.map((entry) => toKernelFrame(entry, encodeKernelId(entry.position)))),
        resync: (head) => sink.send([{ event: 'resync', data: { head: encodeKernelId(head) } }]),
      })
    }
  })
}
