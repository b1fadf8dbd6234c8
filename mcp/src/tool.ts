/** A tool: one operation of the client, with what it takes and gives as the contract describes it. */
import type { Concord } from '@concord/client'
import type { z } from 'zod'

/** An answer of the service: an object, as structured content must be. */
type Answer = object

export interface Tool {
  readonly name: string
  readonly title: string
  /** For the model that chooses among tools. */
  readonly description: string
  /** Changes something; offered only where that was allowed. */
  readonly writes: boolean
  readonly input: z.ZodObject
  readonly output: z.ZodType
  /** The input has been checked against its schema by then. */
  call(concord: Concord, input: unknown, signal: AbortSignal): Promise<Answer>
}

interface ToolRow<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'writes' | 'call'> {
  readonly input: Input
  readonly writes?: true
  readonly call: (
    concord: Concord,
    input: z.output<Input>,
    options: { readonly signal: AbortSignal },
  ) => Promise<Answer>
}

/** Keeps the type of the input between its schema and the call. */
export function tool<Input extends z.ZodObject>(row: ToolRow<Input>): Tool {
  return {
    ...row,
    writes: row.writes ?? false,
    call: async (concord, input, signal) => row.call(concord, row.input.parse(input), { signal }),
  }
}

type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }

/** Left-out fields are left out of the request too, which is what JSON does with them. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const kept: Given<Fields> = JSON.parse(JSON.stringify(fields))
  return kept
}
