/** Every subject the service uses, in one place. What travels on them can all be rebuilt from Postgres. */

export interface Subjects {
  /** A key was revoked or will expire early: forget what is remembered of it. The payload is the key id. */
  readonly keyChanged: string
  /** A scope has new events. The payload is `tenant/scope`. */
  readonly scopeChanged: string
  /** The dispatcher has something to do. */
  readonly backlogChanged: string
  /** Workers are to begin anew. The payload is the target of the restart, as JSON. */
  readonly runtimeRestarted: string
  /** A process of the kernel lives. The payload is what it says of itself, as JSON. */
  readonly heartbeat: string
  /** A hatchery lives. The payload is what it has and wishes, as JSON. */
  readonly hatchery: string
  /** Work on its way to a worker. The payload is its ids. */
  readonly work: string
  /** The same, of tenants that have little under way: nobody else's stands before it. */
  readonly priority: string
}

/** The prefix keeps several deployments, or several tests, apart on one server. */
export function subjectsOf(prefix: string): Subjects {
  return {
    keyChanged: `${prefix}.control.keys.changed`,
    scopeChanged: `${prefix}.events.scopes.changed`,
    backlogChanged: `${prefix}.control.backlog.changed`,
    runtimeRestarted: `${prefix}.control.runtime.restarted`,
    heartbeat: `${prefix}.control.heartbeat`,
    hatchery: `${prefix}.control.hatchery`,
    work: `${prefix}.work`,
    priority: `${prefix}.priority`,
  }
}
