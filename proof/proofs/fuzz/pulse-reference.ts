/** The thread behind pulse.ts that does nothing but answer: how long that takes is how busy the machine is. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

const server = createServer((_request, response) => response.end('{"status":"ok"}'))

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(`http://127.0.0.1:${port}`)
})
