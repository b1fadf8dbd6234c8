/** Takes server-sent events apart as the HTML standard says, whatever the pieces in which they arrive. */

export interface ParsedEventFrame {
  readonly event: string
  readonly data: string
  /** The position after this frame: its own id, or the one before where it has none. */
  readonly id: string | undefined
}

export interface FrameReader {
  /** The frames that this piece completes. */
  push(piece: string): ParsedEventFrame[]
  /** The pause before coming back that the service asks for, once it has. */
  readonly retryMs: number | undefined
  /** The last id that was set, by a frame with or without data. */
  readonly lastId: string | undefined
}

export function createFrameReader(): FrameReader {
  let pending = ''
  let lastId: string | undefined
  let retryMs: number | undefined
  let newId: string | undefined
  let event = ''
  let data: string[] = []

  function field(name: string, value: string): void {
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) newId = value
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
  }

  /** An empty line ends a frame; one without data sets the position and is no event. */
  function endFrame(): ParsedEventFrame[] {
    lastId = newId ?? lastId
    const frame = { event: event || 'message', data: data.join('\n'), id: lastId }
    const isEvent = data.length > 0
    event = ''
    data = []
    return isEvent ? [frame] : []
  }

  function line(text: string): ParsedEventFrame[] {
    if (text === '') return endFrame()
    const colon = text.indexOf(':')
    if (colon > 0) field(text.slice(0, colon), text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1))
    else if (colon < 0) field(text, '')
    return []
  }

  return {
    push(piece) {
      const text = pending + piece
      // A carriage return at the end may be the first half of a line end.
      const lines = text.split(/\r\n|\n|\r(?!$)/)
      pending = lines.pop() ?? ''
      return lines.flatMap(line)
    },
    get retryMs() {
      return retryMs
    },
    get lastId() {
      return lastId
    },
  }
}
