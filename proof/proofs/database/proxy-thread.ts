/** The thread behind network.ts: a proxy that nothing else holds up. */
import { parentPort } from 'node:worker_threads'
import type { NetworkOrder, NetworkReport } from './network.ts'
import { openProxy } from '../../harness/network/proxy.ts'

const proxy = await openProxy()

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const report = (word: NetworkReport) => parentPort?.postMessage(word)

parentPort?.on('message', (order: NetworkOrder) => {
  if ('target' in order) proxy.aim(order.target)
  else report({ open: proxy.set(order.weather) })
})
report({ port: proxy.port })
