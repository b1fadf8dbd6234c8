/**
 * One place in the fleet and the process that fills it: started, watched, and started again whenever it ends. An end
 * that nobody asked for is remembered with the last words of the process.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Child, ChildExit, DeployedApi } from '@concord/tools/launch'

export type Role = 'api' | 'dispatcher' | 'worker'

/** One process that filled the place. */
export interface ProcessLife {
  readonly child: Child
  /** The moment in which we killed it. */
  killedAt: number | undefined
}

export type Member = ReturnType<typeof createMember>

export interface MemberOptions {
  readonly role: Role
  readonly name: string
  readonly start: () => Promise<Child | DeployedApi>
  /** It serves, or does so no more. */
  readonly onChange: (present: boolean) => void
  readonly onUnasked: (exit: ChildExit, words: string) => void
  /** A start that failed because a server was away, as it is tried again. */
  readonly onFailedStart: (error: unknown) => void
}

const RETRY_MS = 200
const WORDS = 600

export function createMember(options: MemberOptions) {
  const { role, name, start, onChange, onUnasked, onFailedStart } = options
  const lives: ProcessLife[] = []
  let current: Child | DeployedApi | undefined
  let asked = false
  const retired = new AbortController()

  async function fill(): Promise<void> {
    while (!retired.signal.aborted) {
      current = await start().catch(async (error: unknown) => {
        onFailedStart(error)
        await delay(RETRY_MS)
        return undefined
      })
      if (current) await attend(current)
    }
  }

  async function attend(child: Child): Promise<void> {
    onChange(true)
    lives.push({ child, killedAt: undefined })
    const exit = await child.exited
    onChange(false)
    if (!asked)
      onUnasked(exit, `${name} ended by itself (${describe(exit)}): ${child.output().slice(-WORDS)}`)
    asked = false
    current = undefined
  }

  const filling = fill()
  return {
    role,
    name,
    /** All processes that have filled the place so far. */
    lives: lives as readonly ProcessLife[],
    /** The process that serves now; undefined while it is being started. */
    process: (): Child | DeployedApi | undefined => (current?.hasExited() ? undefined : current),
    /** Resolves when it is gone; says false when there was nobody to kill. */
    async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL', at = Date.now()): Promise<boolean> {
      const child = current
      if (!child || child.hasExited()) return false
      asked = true
      const life = lives.at(-1)
      if (life) life.killedAt = at
      child.signal(signal)
      await child.exited
      return true
    },
    /** Ends it for good. */
    async retire(): Promise<void> {
      retired.abort()
      asked = true
      // Not gracefully: that another proof looks at, and here it would only take time.
      current?.signal('SIGKILL')
      // One that was just being started is ended by whoever removes the deployment.
      if (current) await filling
    },
  }
}

function describe({ code, signal }: ChildExit): string {
  return signal ? `signal ${signal}` : `code ${code}`
}
