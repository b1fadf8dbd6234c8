/** Server-sent events as text: the whole frames in it, as the format describes them. */

export interface EventFrame {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Comments, `retry` and a frame that is cut off at the end are left out. */
export function readFrames(text: string): EventFrame[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
  return whole
    .split('\n\n')
    .map(readFields)
    .filter((fields) => fields.has('data'))
    .map((fields) => ({
      id: fields.get('id'),
      event: fields.get('event') ?? 'message',
      data: fields.get('data') ?? '',
    }))
}

function readFields(frame: string): Map<string, string> {
  const fields = frame
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? ['', line, ''])
  return new Map(fields.map(([, name = '', value = '']) => [name, value]))
}
