/**
 * A crew: so many children that work, and a spare that is already up when one of them ends. Whoever ends is replaced
 * at once, and with growing pauses when it could not even start.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Exit } from './child.ts'
import { describeExit } from './verdict.ts'

/** The facts that a crew needs of a child. */
export interface PooledChild {
  /** Up, and not about to end. */
  isReady(): boolean
  wasReady(): boolean
  kill(): void
  readonly gone: Promise<Exit>
}

export interface CrewOptions<Each extends PooledChild> {
  readonly size: number
  readonly spares: number
  /** Those come up so long after the others. */
  readonly sparesAfterMs: number
  hatch(): Each
  /** Called before the replacement is hatched; not called any more once the crew stops. */
  ended(member: Each, exit: Exit): void
}

export interface Crew<Each extends PooledChild> {
  /** Resolves when all that work are up; fails when one of them cannot start. */
  start(): Promise<void>
  /** Returns when the last one is gone. */
  stop(): Promise<void>
  /** To be called when a member has become ready. */
  noteReady(): void
  /** The oldest that are up; a younger one is a spare until one of those ends. */
  workers(): readonly Each[]
  /** Up, and not needed now. */
  spares(): readonly Each[]
  alive(): readonly Each[]
  /** How many ended and were replaced. */
  restarts(): number
}

const START_WITHIN_MS = 20_000
const RESTART_MS = { first: 100, most: 5_000 }

export function createCrew<Each extends PooledChild>({
  size,
  spares,
  sparesAfterMs,
  hatch,
  ended,
}: CrewOptions<Each>): Crew<Each> {
  const alive: Each[] = []
  const up = Promise.withResolvers<void>()
  const stopped = new AbortController()
  let restarts = 0
  let failedStarts = 0

  function add(): void {
    if (stopped.signal.aborted) return
    const member = hatch()
    alive.push(member)
    void member.gone.then((exit) => replace(member, exit))
  }

  function replace(member: Each, exit: Exit): void {
    alive.splice(alive.indexOf(member), 1)
    if (stopped.signal.aborted) return
    ended(member, exit)
    restarts += 1
    if (member.wasReady()) add()
    else void addLater(exit)
  }

  /** A child that cannot even start would be started for ever, with nothing else done. */
  async function addLater(exit: Exit): Promise<void> {
    // Before its first task a child has seen no content, so what it said last may be told.
    up.reject(new Error(`A reading process ended with ${describeExit(exit)} at its start: ${exit.lastWords}`))
    const waitMs = Math.min(RESTART_MS.most, RESTART_MS.first * 2 ** failedStarts)
    failedStarts += 1
    await delay(waitMs, undefined, { signal: stopped.signal }).then(add, () => undefined)
  }

  async function addSpares(): Promise<void> {
    await delay(sparesAfterMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)
    for (let hatched = 0; hatched < spares; hatched += 1) add()
  }

  const ready = () => alive.filter((member) => member.isReady())
  const workers = () => ready().slice(0, size)

  return {
    async start() {
      for (let hatched = 0; hatched < size; hatched += 1) add()
      const timeout = AbortSignal.timeout(START_WITHIN_MS)
      timeout.addEventListener('abort', () =>
        up.reject(
          new Error(`No reading process was up after ${START_WITHIN_MS} ms; the machine is overloaded.`),
        ),
      )
      await up.promise
      void addSpares()
    },
    async stop() {
      stopped.abort()
      up.resolve()
      for (const member of alive) member.kill()
      await Promise.all(alive.map((member) => member.gone))
    },
    noteReady() {
      failedStarts = 0
      if (workers().length === size) up.resolve()
    },
    workers,
    spares: () => ready().slice(size),
    alive: () => alive,
    restarts: () => restarts,
  }
}
