/** Takes server-sent events apart: whole frames only, whatever the pieces in which they arrive. */

/** The lines between two empty lines. */
export interface RawFrame {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
  readonly comment?: string
}

export interface RawEventFrame {
  /** Undefined where the frame is not an entry of a log. */
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Returns a function that is fed pieces and hands on each event once it is whole. Comments and `retry` are passed over. */
export function createFrameReader(onFrame: (frame: RawEventFrame) => void): (piece: string) => void {
  let pending = ''
  return (piece) => {
    pending += piece
    let start = 0
    for (let end = pending.indexOf('\n\n'); end !== -1; end = pending.indexOf('\n\n', start)) {
      const { id, event = 'message', data } = readFrame(pending.slice(start, end))
      if (data !== undefined) onFrame({ id, event, data })
      start = end + 2
    }
    pending = pending.slice(start)
  }
}

/** The events of a text that is there already; one that is cut off at its end is left out. */
export function readFrames(text: string): RawEventFrame[] {
  const frames: RawEventFrame[] = []
  createFrameReader((frame) => void frames.push(frame))(text)
  return frames
}

/** The same with what belongs to the connection: comments, `retry` and ids alone. */
export function readRawFrames(text: string): RawFrame[] {
  return text.split('\n\n').slice(0, -1).map(readFrame)
}

function readFrame(text: string): RawFrame {
  const fields: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)) || 'comment'
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    const before = name === 'data' ? fields['data'] : undefined
    fields[name] = before === undefined ? value : `${before}\n${value}`
  }
  return fields
}
