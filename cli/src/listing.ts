/** Lists that may be long: a first part of them, and a word where there is more. */
import { InvalidArgumentError } from 'commander'
import { printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { printLines } from '../terminal/screen.ts'

export interface ListOptions {
  readonly limit: number
}

export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly more: boolean
}

export const DEFAULT_LIMIT = 100

export async function takeFirst<Item>(
  items: AsyncIterable<Item>,
  { limit }: ListOptions,
): Promise<Listed<Item>> {
  const taken: Item[] = []
  for await (const item of items) {
    if (taken.length === limit) return { items: taken, more: true }
    taken.push(item)
  }
  return { items: taken, more: false }
}

/** Takes the first of them and prints these, as lines or as JSON. That there are more is said beside the output, so that what reads it is not disturbed. */
export async function printFirst<Item>(
  all: AsyncIterable<Item>,
  options: ListOptions & OutputOptions,
  draw: (items: readonly Item[]) => readonly string[],
): Promise<void> {
  const { items, more } = await takeFirst(all, options)
  if (options.json) printJson(items)
  else printLines(items.length === 0 ? ['(none)'] : draw(items))
  if (more)
    process.stderr.write(`These are the first ${items.length}; --limit NUMBER or --limit all shows more.\n`)
}

/** Without the options that were not given, as a request wants it. */
export function onlyGiven<Options extends object>(options: Options): Given<Options>
export function onlyGiven(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> }

/** Any instant that a person writes, as the contract writes it. */
export function parseInstant(value: string): string {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError('Give a time such as 2026-11-15 or 2026-11-15T09:30:00Z.')
  return instant.toISOString()
}

export function parseLimit(value: string): number {
  if (value === 'all') return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new InvalidArgumentError('Give a number from 1 on, or all.')
  return Number(value)
}
