/** The memory that an attempt takes while its document is read: minutes, where it waits for a language model. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Policies } from '../../src/app/access/policies.ts'
import type { Attempts } from '../../src/app/processing/attempts.ts'
import type { ScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import { runAttempt } from '../../src/worker/attempt.ts'
import { silentLog } from '../support/log.ts'

const CHARACTERS = 1_000_000

setFlagsFromString('--expose_gc')
const collectGarbage: unknown = runInNewContext('gc')

async function isCollected(reference: WeakRef<object> | undefined): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) {
    // A weak reference is kept until the turn ends.
    await nextTurn()
    if (typeof collectGarbage === 'function') collectGarbage()
    if (reference?.deref() === undefined) return true
  }
  return false
}

let sealedText: WeakRef<Buffer> | undefined

const attempts: Attempts = {
  async start() {
    const sealed = Buffer.alloc(CHARACTERS, 'x')
    sealedText = new WeakRef(sealed)
    const document = { version: 1, type: 'txt', characters: CHARACTERS, released: false, policyChanges: 0 }
    return {
      outcome: 'claimed',
      attempt: 1,
      lastReason: null,
      sealed,
      document: { ...document, sealedCard: Buffer.of() },
    }
  },
  complete: async () => 'settled',
  defer: async () => 'settled',
  loadLayout: async () => null,
  touch: async () => undefined,
  drain: async () => undefined,
}

const decide = () => ({ allowed: true, reason: 'permitted', policies: [], hash: '' }) as const
const policySet = { hash: '', size: 0, decide, decideAnew: decide }
const policies: Policies = {
  since: async () => policySet,
  within: async () => policySet,
  inForce: async () => policySet,
}

const seals: ScopeSeals = {
  get: async () => ({
    epoch: 0,
    seal: (_purpose, _documentId, plain) => plain,
    open: () => Buffer.alloc(CHARACTERS, 'y'),
    fingerprint: () => Buffer.of(),
  }),
  forget: () => undefined,
}

it('keeps the text while it is read, and not the encrypted text beside it', async () => {
  const message = { tenantId: 'a', scopeId: 's', documentId: 'd', ticket: '1' }
  const begun: number[][] = []
  let kept: boolean | undefined
  const end = await runAttempt(
    {
      attempts,
      policies,
      seals,
      async read({ text }) {
        expect(text).toHaveLength(CHARACTERS)
        kept = !(await isCollected(sealedText))
        return { kind: 'failed', reason: 'threw', detail: '' }
      },
      announceEvents: () => undefined,
      started: (...started) => void begun.push(started),
      random: () => 0.5,
      log: silentLog,
    },
    { message, ack() {}, working() {}, retryIn() {} },
  )
  expect([end, kept]).toEqual(['retried', false])
  expect(begun).toEqual([[1, 2 * CHARACTERS]])
})
