/**
 * A line to Postgres that takes its time: so a worker is bound by waiting and not by the processor, and several of them do
 * several times as much on a machine that has only two.
 */
import { openProxy } from '../../harness/network/proxy.ts'

/** `url` is the same address, by way of this line. */
export async function openSlowLine(address: string, delayMs: number) {
  const url = new URL(address)
  const { aim, set, port, close } = await openProxy(delayMs)
  aim({ host: url.hostname, port: Number(url.port) })
  set('slow')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, close }
}
