/** The effect of an Idempotency-Key: one creation and one answer of many equal requests, and a refusal of any other request. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../http/exchange.ts'
import { theTarget } from '../target.ts'
import type { SubjectCall, GoodCall, Subject } from '../subject.ts'

const REPLAYED = 'idempotency-replayed'

/** `fresh` makes a call that creates something that is not there yet; `change` makes a valid call of it that asks for something else. */
export function describeReplay(
  subject: Subject,
  fresh: GoodCall,
  change: (call: SubjectCall) => SubjectCall,
): void {
  const keyed = async () => withKey(await fresh(), `key-${randomUUID()}`)

  describe(`${subject.operation.name}: the same request under one Idempotency-Key`, () => {
    it('is done once of twenty that come at once, over all processes, and answered alike', async () => {
      const call = await keyed()
      const replies = await Promise.all(Array.from({ length: 20 }, () => subject.call(call)))
      expectAlike(subject, replies)
      expect(replies.filter(({ headers }) => headers[REPLAYED] === undefined)).toHaveLength(1)
    })

    it('is given the first answer again by every process, byte for byte', async () => {
      const call = await keyed()
      const first = await subject.call(call)
      expect(first.headers).not.toHaveProperty(REPLAYED)
      for (const url of theTarget().urls) {
        const again = await subject.call({ ...call, url })
        expectAlike(subject, [first, again])
        expect(again.headers[REPLAYED]).toBe('true')
      }
    })

    it('leaves no other request under that key, and does nothing of it', async () => {
      const call = await keyed()
      const first = await subject.call(call)
      subject.expectProblem(await subject.call(change(call)), 'idempotency_key_reused')
      expectAlike(subject, [first, await subject.call(call)])
    })

    it('has a key of 1 to 200 characters', async () => {
      const reply = await subject.call(withKey(await fresh(), 'a'.repeat(201)))
      subject.expectProblem(reply, 'validation_failed', { pointers: ['header#/idempotency-key'] })
    })
  })
}

/** The answer holds a secret, which is not kept, so that nobody may rely on being given it again. */
export function describeNoReplay(subject: Subject, good: GoodCall): void {
  it(`${subject.operation.name}: refuses an Idempotency-Key`, async () => {
    const reply = await subject.call(withKey(await good(), randomUUID()))
    subject.expectProblem(reply, 'validation_failed', { pointers: ['header#/idempotency-key'] })
  })
}

const withKey = (call: SubjectCall, key: string): SubjectCall => ({
  ...call,
  headers: { ...call.headers, 'idempotency-key': key },
})

function expectAlike({ expectForm }: Subject, replies: readonly Reply[]): void {
  for (const reply of replies) expectForm(reply, replies[0]?.status ?? 0)
  const said = replies.map(({ status, headers, text }) => `${status} ${headers['location'] ?? ''} ${text}`)
  expect(new Set(said).size).toBe(1)
}

/** The same call with other values in its body. */
export const changeBody =
  (values: object) =>
  (call: SubjectCall): SubjectCall => ({ ...call, body: { ...Object(call.body), ...values } })
