/**
 * A balancer before the APIs in a real deployment: it asks each every moment whether it is ready, and sends it nothing
 * more once it says no, or says with an answer that the connection ends. It keeps its connections open, and it never
 * sends a request twice.
 */
import { createRawClient, NoAnswer, requestBytes } from '../../harness/http.ts'
import type { Answer, HttpRequest, RawClient } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'

export type Balancer = ReturnType<typeof startBalancer>

export interface BalancerOptions {
  /** All there are, ready or not. */
  readonly known: () => readonly string[]
  readonly lookEveryMs?: number
}

const LOOK_EVERY_MS = 250
const TIMEOUT_MS = 10_000

interface Target {
  readonly client: RawClient
  isIn: boolean
  underWay: number
  /** A look that began before this moment knows less than the answer that said goodbye. */
  leftAt: number
}

export function startBalancer({ known, lookEveryMs = LOOK_EVERY_MS }: BalancerOptions) {
  const targets = new Map<string, Target>()
  const tally = { looks: 0, farewells: 0 }
  let turn = 0

  /** Those that take requests at the moment. */
  const urls = (): readonly string[] => [...targets].filter(([, { isIn }]) => isIn).map(([url]) => url)

  async function lookAt(url: string): Promise<void> {
    const target = targets.get(url) ?? { client: createRawClient(url), isIn: false, underWay: 0, leftAt: 0 }
    targets.set(url, target)
    const asked = performance.now()
    const isReady = await target.client
      .send({ bytes: requestBytes(url, { path: '/readyz' }), timeoutMs: TIMEOUT_MS })
      .then(
        ({ status }) => status === 200,
        () => false,
      )
    tally.looks += 1
    if (isReady && asked > target.leftAt) target.isIn = true
    else if (!isReady) takeOut(target)
  }

  /** The balancer that takes a process out lets go of the connections that nobody uses. */
  function takeOut(target: Target): void {
    target.isIn = false
    target.leftAt = performance.now()
    target.client.close()
  }

  async function look(): Promise<void> {
    forgetOthers(targets, known())
    await Promise.all(known().map(lookAt))
  }

  const looking = repeat(look, { pauseMs: lookEveryMs })
  return {
    urls,
    /** Questions whether an API is ready, and connections that were not used again because the answer said so. */
    tally,
    /** Requests on their way to this one. */
    underWay: (url: string) => targets.get(url)?.underWay ?? 0,
    /** Once, to one of them; rejects with a NoAnswer when nothing came back. */
    async send(request: HttpRequest | ((url: string) => Buffer)): Promise<Answer> {
      const ready = urls()
      const url = ready[(turn += 1) % ready.length]
      const target = targets.get(url ?? '')
      if (url === undefined || !target) throw new NoAnswer('refused', 'no API is ready')
      target.underWay += 1
      try {
        const bytes = typeof request === 'function' ? request(url) : requestBytes(url, request)
        const answer = await target.client.send({ bytes, timeoutMs: TIMEOUT_MS })
        if (answer.headers.get('connection') === 'close') {
          tally.farewells += 1
          takeOut(target)
        }
        return answer
      } finally {
        target.underWay -= 1
      }
    },
    async stop(): Promise<void> {
      await looking.stop()
      for (const { client } of targets.values()) client.close()
    },
  }
}

function forgetOthers(targets: Map<string, Target>, known: readonly string[]): void {
  for (const [url, { client, underWay }] of targets) {
    if (known.includes(url) || underWay > 0) continue
    client.close()
    targets.delete(url)
  }
}
