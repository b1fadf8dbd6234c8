/** A `fetch` that follows no redirects and limits the size of the response. */

export class AnswerTooLong extends Error {
  constructor() {
    super(`the answer is longer than ${MAX_BYTES} bytes`)
    this.name = 'AnswerTooLong'
  }
}

const MAX_BYTES = 65_536

export const boundedFetch: typeof fetch = async (input, init) => {
  // The request and its key are for the configured endpoint only.
  const { body, status, statusText, headers } = await fetch(input, { ...init, redirect: 'error' })
  return new Response(body && bounded(body), { status, statusText, headers })
}

function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > MAX_BYTES) controller.error(new AnswerTooLong())
        else controller.enqueue(chunk)
      },
    }),
  )
}
