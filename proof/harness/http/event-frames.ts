/** Takes server-sent events apart: whole frames only, whatever the pieces in which they arrive. */

export interface EventFrame {
  /** Undefined where the frame is not an entry of a log. */
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Returns a function that is fed pieces and hands on each frame once it is whole. Comments and `retry` are passed over. */
export function createFrameReader(onFrame: (frame: EventFrame) => void): (piece: string) => void {
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

/** Of a text that is there already; a frame that is cut off at its end is left out. */
export function readFrames(text: string): EventFrame[] {
  const frames: EventFrame[] = []
  createFrameReader((frame) => void frames.push(frame))(text)
  return frames
}

function readFrame(text: string): EventFrame | undefined {
  let id: string | undefined
  let event = 'message'
  let data: string | undefined
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'id') id = value
    else if (name === 'event') event = value
    else if (name === 'data') data = data === undefined ? value : `${data}\n${value}`
  }
  return data === undefined ? undefined : { id, event, data }
}
