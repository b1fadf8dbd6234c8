/** The client that sends the documents of a measurement: a process of its own, of which one kind exists for each contestant. */

import type { Watched } from './cpu-time.ts'

export interface ClientOrder {
  /** Characters of each text; they are of one byte each. */
  readonly bytes: number
  readonly inFlight: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Ends earlier, after so many calls. */
  readonly calls?: number
  /** Servers by name and pid whose processor time is part of the price. */
  readonly watch: Watched
  /** Where to send to, as the client understands it. */
  readonly target: Readonly<Record<string, string>>
}

/** Documents that one call of the bare loop takes. */
export const BARE_LOOP_BATCH = 64

/** One call after the other; answers how many documents it committed, 0 for a failure. */
export type Lane = () => Promise<number>

export interface Client {
  /** All at once, each sending by itself. */
  readonly lanes: readonly Lane[]
  close(): Promise<void>
}

export type OpenClient = (order: ClientOrder) => Promise<Client>

/** The text that every contestant sends. */
export function textOf(bytes: number): string {
  const sentence = 'The tenant pays the rent on the first day of each quarter. '
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes)
}

/** The payload that a queue is given for each document: the fields that are sent to the API. */
export function payloadOf({ bytes }: ClientOrder): () => { scope_id: string; name: string; text: string } {
  const text = textOf(bytes)
  let count = 0
  return () => ({ scope_id: 'measured', name: `Document ${(count += 1)}`, text })
}
