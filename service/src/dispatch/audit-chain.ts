/**
 * Gives the entries of the audit log their places, from wherever they were recorded, and says in the log where the chain
 * ends: a line that lies outside of the database is what tells that the end of it was cut off.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { chainAudit } from '../app/audit/audit.ts'
import type { ChainingDeps } from '../app/audit/audit.ts'
import type { ChainPlace } from '../domain/audit.ts'
import type { Part } from '../platform/lifecycle.ts'

export interface AuditChainDeps extends ChainingDeps {
  readonly lookEveryMs: number
  /** Where it ends is said at most this often, and once more at the end. */
  readonly sayEveryMs: number
}

export function createAuditChain(deps: AuditChainDeps): Part {
  const stopping = new AbortController()
  let head: ChainPlace | undefined
  let said: ChainPlace | undefined
  let saidAt = -Infinity
  let loop: Promise<void> | undefined

  function say(): void {
    if (!head || head === said) return
    deps.log.info({ audit_seq: head.seq, audit_head: head.chainMac }, 'audit head')
    said = head
    saidAt = performance.now()
  }

  async function look(): Promise<void> {
    head = (await chainAudit(deps)) ?? head
    if (performance.now() - saidAt >= deps.sayEveryMs) say()
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await look().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'chaining audit entries failed; it is tried again'),
      )
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
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
      say()
    },
  }
}
