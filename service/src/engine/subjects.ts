/** All subjects of the service. Every message on them can be rebuilt from Postgres. */

export interface Subjects {
  /** A key was revoked or will expire early: processes drop it from their caches. The payload is the key id. */
  readonly keyChanged: string
  /** A scope has new events. The payload is `tenant/scope`. */
  readonly scopeChanged: string
  /** The dispatcher has work or room. */
  readonly backlogChanged: string
  /** Workers restart their reading processes. The payload is the target of the restart, as JSON. */
  readonly runtimeRestarted: string
  /** The heartbeat of a process of the kernel. The payload is JSON. */
  readonly heartbeat: string
  /** The heartbeat of a hatchery. The payload is JSON. */
  readonly hatchery: string
  /** The standard work queue. The payload is the ids of a document. */
  readonly work: string
  /** The priority work queue, for tenants with few documents in flight. */
  readonly priority: string
}

/** The prefix separates deployments or tests that share a server. */
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
