/**
 * Chains new entries of the audit log and logs the head of the chain. The log is stored outside the database, so it reveals
 * if the end of the chain was cut off.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { chainAudit } from '../app/audit/audit.ts'
import type { ChainingDeps } from '../app/audit/audit.ts'
import type { ChainPosition } from '../domain/audit.ts'
import type { Part } from '../platform/lifecycle.ts'

export interface AuditChainDeps extends ChainingDeps {
  readonly lookEveryMs: number
  /** The head is logged at most this often, and once more at shutdown. */
  readonly logEveryMs: number
}

export function createAuditChain(deps: AuditChainDeps): Part {
  const stopping = new AbortController()
  let head: ChainPosition | undefined
  let logged: ChainPosition | undefined
  let loggedAt = -Infinity
  let loop: Promise<void> | undefined

  function logHead(): void {
    if (!head || head === logged) return
    deps.log.info({ audit_seq: head.seq, audit_head: head.chainMac }, 'audit head')
    logged = head
    loggedAt = performance.now()
  }

  async function chain(): Promise<void> {
    head = (await chainAudit(deps)) ?? head
    if (performance.now() - loggedAt >= deps.logEveryMs) logHead()
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await chain().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'chaining audit entries failed; it is tried again'),
      )
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await delay(deps.lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  return {
    name: 'audit chain',
    async start() {
      loop = repeat()
    },
    async stop() {
      stopping.abort()
      await loop
      logHead()
    },
  }
}
