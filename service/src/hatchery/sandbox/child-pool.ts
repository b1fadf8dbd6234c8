/**
 * A pool of child processes: a number of children that work, and spares that are ready when one of those exits. The
 * pool replaces a child that exits at once, and with exponential backoff if the child could not start.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Exit } from './child.ts'
import { describeExit } from './verdict.ts'

/** The properties of a child that the pool uses. */
export interface PooledChild {
  /** It has started and was not killed. */
  isReady(): boolean
  wasReady(): boolean
  kill(): void
  readonly exited: Promise<Exit>
}

export interface ChildPoolOptions<Each extends PooledChild> {
  readonly size: number
  readonly spares: number
  /** The spares start this long after the others. */
  readonly sparesAfterMs: number
  spawn(): Each
  /** Called before the replacement is spawned, but not while the pool stops. */
  ended(child: Each, exit: Exit): void
}

export interface ChildPool<Each extends PooledChild> {
  /** Resolves when all working children are ready; rejects if one of them cannot start. */
  start(): Promise<void>
  /** Resolves when the last child has exited. */
  stop(): Promise<void>
  /** Call it when a child has become ready. */
  onReady(): void
  /** The oldest children that are ready. The younger ones are spares. */
  workers(): readonly Each[]
  /** Children that are ready and not needed now. */
  spares(): readonly Each[]
  alive(): readonly Each[]
  /** How many children exited and were replaced. */
  restarts(): number
}

const START_WITHIN_MS = 20_000
const BACKOFF_MS = { min: 100, max: 5_000 }

export function createChildPool<Each extends PooledChild>(options: ChildPoolOptions<Each>): ChildPool<Each> {
  const { size, spares, sparesAfterMs, spawn, ended } = options
  const alive: Each[] = []
  const up = Promise.withResolvers<void>()
  const stopped = new AbortController()
  let restarts = 0
  let failedStarts = 0

  function add(): void {
    if (stopped.signal.aborted) return
    const child = spawn()
    alive.push(child)
    void child.exited.then((exit) => replace(child, exit))
  }

  function replace(child: Each, exit: Exit): void {
    alive.splice(alive.indexOf(child), 1)
    if (stopped.signal.aborted) return
    ended(child, exit)
    restarts += 1
    if (child.wasReady()) add()
    else void addLater(exit)
  }

  /** Without backoff the pool would spend all its time on a child that cannot start. */
  async function addLater(exit: Exit): Promise<void> {
    up.reject(failedStart(exit))
    const waitMs = Math.min(BACKOFF_MS.max, BACKOFF_MS.min * 2 ** failedStarts)
    failedStarts += 1
    await delay(waitMs, undefined, { signal: stopped.signal }).then(add, () => undefined)
  }

  async function addSpares(): Promise<void> {
    await delay(sparesAfterMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)
    for (let started = 0; started < spares; started += 1) add()
  }

  const ready = () => alive.filter((child) => child.isReady())
  const workers = () => ready().slice(0, size)

  return {
    async start() {
      for (let started = 0; started < size; started += 1) add()
      rejectLate(up)
      await up.promise
      void addSpares()
    },
    async stop() {
      stopped.abort()
      up.resolve()
      for (const child of alive) child.kill()
      await Promise.all(alive.map((child) => child.exited))
    },
    onReady() {
      failedStarts = 0
      if (workers().length === size) up.resolve()
    },
    workers,
    spares: () => ready().slice(size),
    alive: () => alive,
    restarts: () => restarts,
  }
}

/** Before its first task a child has seen no content, so its stderr may be shown. */
function failedStart(exit: Exit): Error {
  return new Error(`A reading process ended with ${describeExit(exit)} at its start: ${exit.stderrTail}`)
}

function rejectLate({ reject }: PromiseWithResolvers<void>): void {
  const timeout = AbortSignal.timeout(START_WITHIN_MS)
  timeout.addEventListener('abort', () =>
    reject(new Error(`No reading process was up after ${START_WITHIN_MS} ms; the machine is overloaded.`)),
  )
}
