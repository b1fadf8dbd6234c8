/**
 * Copies whole tables from and to Postgres with COPY, as streams with backpressure. The driver implements the messages of COPY but has
 * no API for it, so two classes implement its query interface.
 */
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import type { Client, Connection, Submittable } from 'pg'

/** Methods of the driver's connection that its types lack. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

interface Ending {
  readonly resolve: (rows: number) => void
  readonly reject: (error: Error) => void
}

/** The methods that the driver calls on every query. The others differ by direction. */
abstract class CopyQuery implements Submittable {
  readonly done: Promise<number>
  protected readonly ending: Ending
  readonly #text: string
  #rows = 0

  constructor(text: string) {
    this.#text = text
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.done = promise
    this.ending = { resolve, reject }
    // The caller that awaits `done` gets the failure. Before that, an unhandled rejection must not end the process.
    promise.catch(() => undefined)
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(text.split(' ')[1] ?? 0)
  }

  handleReadyForQuery(_connection?: Connection): void {
    this.ending.resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.ending.reject(error)
  }
}

class CopyOut extends CopyQuery {
  // The consumer gets the failure. Before it listens, an unhandled error must not end the process.
  readonly output = new PassThrough().on('error', () => undefined)

  /** When the stream is destroyed, remaining data is discarded, so that the connection can be used or closed. */
  override submit(connection: Connection): void {
    this.output.once('close', () => connection.stream.resume())
    super.submit(connection)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: Connection): void {
    if (this.output.destroyed) return
    // Copies the bytes, because the driver reuses the buffer for the next message.
    if (this.output.write(Buffer.from(chunk))) return
    // A network chunk has many rows, so this runs once for several rows.
    if (stream.isPaused()) return
    stream.pause()
    this.output.once('drain', () => stream.resume())
  }

  override handleReadyForQuery({ stream }: Connection): void {
    super.handleReadyForQuery()
    this.output.end()
    // An ended stream emits no 'drain', so a paused connection would never receive the next answer.
    stream.resume()
  }

  override handleError(error: Error): void {
    super.handleError(error)
    this.output.destroy(error)
  }
}

class CopyIn extends CopyQuery {
  readonly #input: Readable
  #failure: Error | undefined

  constructor(text: string, input: Readable) {
    super(text)
    this.#input = input
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection)
  }

  /** Postgres answers an aborted copy with an error of its own, which is less specific than the cause. */
  override handleError(error: Error): void {
    this.#input.destroy()
    super.handleError(this.#failure ?? error)
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#input as AsyncIterable<Buffer>) {
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await drained(connection)
      }
      connection.endCopyFrom()
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
      connection.sendCopyFail('the rows could not be read')
    }
  }
}

/** Resolves when the stream has drained or is closed. The query itself reports a closed connection. */
async function drained({ stream }: CopyConnection): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      stream.off('drain', go).off('close', go)
      resolve()
    }
    stream.on('drain', go).on('close', go)
  })
}

export interface CopiedOut {
  readonly output: Readable
  /** The number of rows. Known when all of them have been read. */
  readonly rows: Promise<number>
}

export function copyOut(client: Client, statement: string): CopiedOut {
  const { output, done } = client.query(new CopyOut(statement))
  return { output, rows: done }
}

/** Returns the number of rows. */
export async function copyIn(client: Client, statement: string, input: Readable): Promise<number> {
  return client.query(new CopyIn(statement, input)).done
}
