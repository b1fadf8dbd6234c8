/** The instruments of the proof of streams: frames are read whole, and every irregularity is counted as what it is. */
import { describe, expect, test } from 'vitest'
import { createAccount, differenceOf } from '../harness/streams/account.ts'
import type { DeliveryLedger } from '../harness/streams/account.ts'
import { createFrameReader } from '../harness/http/event-frames.ts'
import type { RawEventFrame } from '../harness/http/event-frames.ts'

function framesOf(pieces: readonly string[]): RawEventFrame[] {
  const frames: RawEventFrame[] = []
  const feed = createFrameReader((frame) => void frames.push(frame))
  for (const piece of pieces) feed(piece)
  return frames
}

describe('frames', () => {
  const text = 'retry: 3000\n\nid: 1\nevent: a\ndata: {"x":1}\n\n: alive\n\nid: 2\nevent: b\ndata: {}\n\n'

  test('are the same however the bytes are cut', () => {
    const whole = framesOf([text])
    expect(whole).toEqual([
      { id: '1', event: 'a', data: '{"x":1}' },
      { id: '2', event: 'b', data: '{}' },
    ])
    for (const size of [1, 2, 3, 7, 20]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      )
      expect(framesOf(pieces)).toEqual(whole)
    }
  })

  test('that are not whole do not count', () => {
    expect(framesOf([text.slice(0, -1)])).toHaveLength(1)
  })
})

describe('the account of a reader', () => {
  const expected = Array.from({ length: 5 }, (_, at) => ({
    id: String(at + 1),
    kind: 'kind',
    subject: `s${at}`,
  }))
  const received = (ids: readonly number[], kind = 'kind'): DeliveryLedger => {
    const account = createAccount()
    for (const id of ids) account.note(String(id), kind, `s${id - 1}`)
    return account
  }
  const nothing = { missing: 0, duplicate: 0, disordered: 0, strange: 0, altered: 0 }

  test('balances when everything came once and in order', () => {
    expect(differenceOf(expected, received([1, 2, 3, 4, 5]))).toEqual(nothing)
  })

  test('shows what is missing', () => {
    expect(differenceOf(expected, received([1, 2, 5]))).toEqual({ ...nothing, missing: 2 })
  })

  test('shows what came twice', () => {
    expect(differenceOf(expected, received([1, 2, 2, 3, 4, 5, 1]))).toEqual({ ...nothing, duplicate: 2 })
  })

  test('shows what came late', () => {
    expect(differenceOf(expected, received([1, 3, 2, 4, 5]))).toEqual({ ...nothing, disordered: 1 })
  })

  test('shows what the database does not have', () => {
    expect(differenceOf(expected, received([1, 2, 3, 4, 5, 6]))).toEqual({ ...nothing, strange: 1 })
  })

  test('shows events that tell something else', () => {
    expect(differenceOf(expected, received([1, 2, 3, 4, 5], 'other'))).toEqual({ ...nothing, altered: 1 })
  })
})
