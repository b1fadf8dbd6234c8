import { assert, property, array, nat, string, integer } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameReader, encodeFrame } from '../../../src/hatchery/sandbox/frames.ts'

describe('frames', () => {
  it('come out as they went in, wherever the stream is cut', () => {
    assert(
      property(array(string()), array(integer({ min: 1, max: 40 })), nat(), (bodies, cuts, seq) => {
        const stream = Buffer.concat(
          bodies.flatMap((body, index) => encodeFrame(seq + index, index, 7, Buffer.from(body, 'utf16le'))),
        )
        const reader = createFrameReader(1_000_000)
        const read: string[] = []
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = cuts[turn % Math.max(1, cuts.length)] ?? stream.length
          reader.push(stream.subarray(at, at + size))
          at += size
          for (let frame = reader.next(); frame; frame = reader.next()) {
            expect(frame).toMatchObject({ seq: seq + read.length, code: read.length, value: 7 })
            read.push(frame.body.toString('utf16le'))
          }
        }
        expect(read).toEqual(bodies)
      }),
    )
  })

  it('above the bound are refused before they are gathered', () => {
    const reader = createFrameReader(10)
    reader.push(Buffer.concat(encodeFrame(1, 2, 3, Buffer.alloc(11))).subarray(0, 16))
    expect(() => reader.next()).toThrow('above the bound')
  })
})
