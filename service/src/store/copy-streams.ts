/**
 * Whole tables out of and into Postgres by COPY, as streams: what is not read yet is not fetched yet. The driver speaks the
 * messages of COPY but offers no call for it, so these two are queries of their own kind to it.
 */
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import type { Client, Connection, Submittable } from 'pg'

/** The methods of the driver's connection that its types do not say. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

interface Ending {
  readonly resolve: (rows: number) => void
  readonly reject: (error: Error) => void
}

/** The methods that the driver calls on any query; the rest differs by direction. */
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
    // The waiting caller hears of a failure; until somebody does it must not end the process.
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
  // The reader hears of a failure; one that comes before somebody does must not end the process.
  readonly output = new PassThrough().on('error', () => undefined)

  /** When nobody reads any more, what still comes is thrown away, so that the connection can be used or ended. */
  override submit(connection: Connection): void {
    this.output.once('close', () => connection.stream.resume())
    super.submit(connection)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: Connection): void {
    if (this.output.destroyed) return
    // A copy: the driver hands out a view of a buffer, into which it puts what comes next.
    if (this.output.write(Buffer.from(chunk))) return
    // A chunk of the network holds many rows, so this comes once for several of them.
    if (stream.isPaused()) return
    stream.pause()
    this.output.once('drain', () => stream.resume())
  }

  override handleReadyForQuery({ stream }: Connection): void {
    super.handleReadyForQuery()
    this.output.end()
    // One that is ended asks for no more, and the next answer would never be heard.
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

  /** Postgres answers what we gave up with an error of its own, which says less than the reason. */
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

/** Or the connection is gone, which the query hears by itself. */
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
  /** How many rows there were; known when all of it has been read. */
  readonly rows: Promise<number>
}

export function copyOut(client: Client, statement: string): CopiedOut {
  const { output, done } = client.query(new CopyOut(statement))
  return { output, rows: done }
}

/** How many rows it were. */
export async function copyIn(client: Client, statement: string, input: Readable): Promise<number> {
  return client.query(new CopyIn(statement, input)).done
}
