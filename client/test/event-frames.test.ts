/** Server-sent events are taken apart as the standard says, however the bytes arrive. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameReader } from '../src/event-frames.ts'

describe('a frame', () => {
  it('carries its kind, its data and its position', () => {
    const reader = createFrameReader()
    expect(reader.push('retry: 3000\n\nid: 7\nevent: scope.created\ndata: {}\n\n')).toEqual([
      { event: 'scope.created', data: '{}', id: '7' },
    ])
    expect(reader.retryMs).toBe(3000)
  })

  it('is not one until it is whole, and neither is its position', () => {
    const reader = createFrameReader()
    expect(reader.push('id: 7\ndata: a\n\nid: 8\ndata: b\n')).toHaveLength(1)
    expect(reader.lastId).toBe('7')
    expect(reader.push('\n')).toEqual([{ event: 'message', data: 'b', id: '8' }])
  })

  it('without data moves the position and is no event', () => {
    const reader = createFrameReader()
    expect(reader.push('id: 26\n\n: alive\n\n')).toEqual([])
    expect(reader.lastId).toBe('26')
  })

  it('keeps the position of the one before where it has none', () => {
    const reader = createFrameReader()
    expect(reader.push('id: 3\ndata: a\n\ndata: b\n\n').map(({ id }) => id)).toEqual(['3', '3'])
  })

  it('may have several lines of data, a field without a colon, and an id that is passed over', () => {
    const reader = createFrameReader()
    expect(reader.push('data:a\ndata\ndata:  b\nid: 1\0\nunknown: x\n\n')).toEqual([
      { event: 'message', data: 'a\n\n b', id: undefined },
    ])
  })
})

describe('pieces', () => {
  it('give the same frames wherever they are cut, with each kind of line end', () => {
    const frame = fc.record({ id: fc.nat(), data: fc.stringMatching(/^[a-z {}:]{0,20}$/) })
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(
        fc.array(frame, { minLength: 1 }),
        ends,
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (frames, end, cuts) => {
          const text = frames.map(({ id, data }) => [`id: ${id}`, `data: ${data}`, '', ''].join(end)).join('')
          const reader = createFrameReader()
          const found: string[] = []
          for (let rest = `${text}:${end}`; rest !== '';) {
            const length = cuts.next().value ?? 1
            found.push(...reader.push(rest.slice(0, length)).map(({ id, data }) => `${id} ${data}`))
            rest = rest.slice(length)
          }
          expect(found).toEqual(frames.map(({ id, data }) => `${id} ${data}`))
        },
      ),
    )
  })
})
