/** One request, one answer, over a connection of its own. Sends what it is given: no redirects, no tidied paths. */
import { send } from '@concord/proof/http'

export interface Request {
  readonly method: string
  /** The path, query included. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Send the body without announcing its length. */
  readonly chunked?: boolean
}

export interface Reply {
  readonly status: number
  /** By lower-case name; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** An event stream has no end of its own: its head and the first bytes are the answer, and then it is left. */
export async function exchange(url: string, { body, ...request }: Request): Promise<Reply> {
  // The body in bytes, to which no content type is added.
  const { status, headers, text } = await send(url, {
    ...request,
    ...(body !== undefined && { body: Buffer.from(body) }),
  })
  return { status, headers: Object.fromEntries(headers), text }
}
