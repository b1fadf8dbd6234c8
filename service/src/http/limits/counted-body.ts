/** Counts a body without Content-Length against the budget of bytes in flight, chunk by chunk. */
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { Fault } from '../../domain/fault.ts'

export function countPieces(body: Readable, add: (bytes: number) => boolean): Readable {
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (add(piece.length)) done(null, piece)
      else done(new Fault('overloaded', { internal: 'the bytes in flight are used up' }))
    },
  })
  // Once a body is refused no consumer is left for the counted stream. Without a listener its error would end the process when the client
  // goes away; a consumer has a listener of its own.
  counted.on('error', () => undefined)
  body.once('error', (error) => counted.destroy(error))
  return body.pipe(counted)
}
