/**
 * The presence of processes over time. A document of a killed worker can be taken over only while another worker and both servers are
 * there; on a machine that takes seconds to start a process, waiting for nobody says nothing about the service.
 */

export interface PresenceChange {
  readonly at: number
  /** `worker 3`, `postgres`, `nats`. */
  readonly name: string
  readonly present: boolean
}

export interface PresenceRecord {
  readonly changes: readonly PresenceChange[]
  note(name: string, present: boolean): void
}

export function createPresence(): PresenceRecord {
  const changes: PresenceChange[] = []
  return { changes, note: (name, present) => void changes.push({ at: Date.now(), name, present }) }
}

/** How many of the milliseconds between two moments a worker and both servers were there. */
export function servedMs(changes: readonly PresenceChange[], from: number, to: number): number {
  const present = new Set(['postgres', 'nats'])
  let served = 0
  let since = from
  for (const change of [...changes.toSorted((a, b) => a.at - b.at), { at: to, name: '', present: false }]) {
    const until = Math.min(change.at, to)
    if (until > since) {
      if (couldTakeOver(present)) served += until - since
      since = until
    }
    if (change.present) present.add(change.name)
    else present.delete(change.name)
  }
  return served
}

function couldTakeOver(present: ReadonlySet<string>): boolean {
  if (!present.has('postgres') || !present.has('nats')) return false
  return [...present].some((name) => name.startsWith('worker'))
}
