/** Takes a stream of server-sent events apart: whole frames only, whatever the pieces in which they arrive. */

export interface Frame {
  /** Undefined where the frame is not an entry of a log. */
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Returns a function that is fed pieces and hands on each frame once it is whole. Comments are passed over. */
export function createFrameReader(onFrame: (frame: Frame) => void): (piece: string) => void {
  let pending = ''
  return (piece) => {
    pending += piece
    let start = 0
    for (let end = pending.indexOf('\n\n'); end !== -1; end = pending.indexOf('\n\n', start)) {
      const frame = readFrame(pending.slice(start, end))
      if (frame) onFrame(frame)
      start = end + 2
    }
    pending = pending.slice(start)
  }
}

function readFrame(text: string): Frame | undefined {
  let id: string | undefined
  let event = ''
  let data = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4)
    else if (line.startsWith('event: ')) event = line.slice(7)
    else if (line.startsWith('data: ')) data += line.slice(6)
  }
  return event === '' ? undefined : { id, event, data }
}
