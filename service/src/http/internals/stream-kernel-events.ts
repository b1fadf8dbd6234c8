import { operations } from '@concord/contract'
import { followKernel, kernelHead } from '../../app/events/kernel-feed.ts'
import type { KernelFeedDeps } from '../../app/events/kernel-feed.ts'
import { toKernelFrame } from '../cloud-event.ts'
import { decodeKernelId, encodeKernelId } from '../kernel-id.ts'
import { platformStream } from '../route.ts'
import type { Route } from '../route.ts'

export function streamKernelEvents(deps: KernelFeedDeps): Route {
  return platformStream(operations.streamKernelEvents, async ({ query, headers }) => {
    const asked =
      decodeKernelId(headers['last-event-id'], 'header#/last-event-id') ??
      decodeKernelId(query.after, 'query#/after')
    // Before the answer: what happens from then on must be in the stream.
    const after = asked ?? (await kernelHead(deps))
    return async (sink) => {
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
