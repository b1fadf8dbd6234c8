/** The instruments of the proof of idle streams: every event is timed once. */
import { describe, expect, test } from 'vitest'
import { createEventTimes } from '../proofs/sse/event-times.ts'

describe('the times of events', () => {
  const TIMES = ['2026-01-02T03:04:05.006Z', '2026-01-02T03:04:05.106Z', '2026-01-02T03:05:00.000Z']
  const text = [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nd\r\nretry: 3000\n\n\r\n',
    ...TIMES.map(
      (time, at) => `5f\r\nid: ${at}\nevent: a\ndata: {"subject":"x","time":"${time}","data":{}}\n\n\r\n`,
    ),
    'a\r\n: alive\n\n\r\n',
  ].join('')

  function timesIn(pieces: readonly string[]): string[] {
    const times: string[] = []
    const feed = createEventTimes((time) => void times.push(new Date(time).toISOString()))
    for (const piece of pieces) feed(piece)
    return times
  }

  test.each([1, 2, 5, 31, 32, 33, 100, 10_000])('are found once each in pieces of %i', (size) => {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    )
    expect(timesIn(pieces)).toEqual(TIMES)
  })

  test('are not found before they are whole', () => {
    expect(timesIn([text.slice(0, text.indexOf(TIMES[2] ?? '') + 10)])).toHaveLength(2)
  })
})
