/** Connections to whichever APIs serve now: each request goes to one of them at random, and it is known what is on its way. */
import { createRawClient, NoAnswer } from './http.ts'
import type { Answer, RawClient } from './http.ts'
import { pick, sum } from './statistics.ts'

export interface ConnectionsOptions {
  readonly urls: () => readonly string[]
  readonly random: () => number
}

export function createConnections({ urls, random }: ConnectionsOptions) {
  const clients = new Map<string, RawClient>()
  const underWay = new Map<string, number>()
  const count = (url: string, step: number) => underWay.set(url, (underWay.get(url) ?? 0) + step)
  return {
    isServed: () => urls().length > 0,
    /** Rejects with a NoAnswer when nothing came back, or no API serves. */
    async send(requestOf: (url: string) => Buffer, timeoutMs: number): Promise<Answer> {
      const url = pick(urls(), random)
      if (url === undefined) throw new NoAnswer('refused', 'no API serves')
      const client = clients.get(url) ?? createRawClient(url)
      clients.set(url, client)
      count(url, 1)
      try {
        return await client.send({ bytes: requestOf(url), timeoutMs })
      } finally {
        count(url, -1)
      }
    },
    /** Requests on their way, to this API or to all. */
    underWay: (url?: string) => (url === undefined ? sum([...underWay.values()]) : (underWay.get(url) ?? 0)),
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}
