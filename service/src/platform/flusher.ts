/**
 * Group commit in the application: what arrives while one batch is being written goes into the next, so that many
 * callers share one statement and one sync of the disk. An idle flusher writes at once; a timer keeps only crowds waiting.
 */
import { createHeldPlaces } from './held-places.ts'
import type { HeldPlaces } from './held-places.ts'
import { WaitingList } from './waiting-list.ts'
import type { WaitingEntry, WaitingListOptions } from './waiting-list.ts'

export interface FlusherOptions<Item, Answer> extends WaitingListOptions<Item> {
  /** Answers in the order of the items. A rejection is treated as "nothing of this was written". */
  readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>
  /** Items that share a key are written one after the other, in the order in which they came. */
  readonly keysOf: (item: Item) => readonly string[]
  /** Batches under way at the same time share no place: the second would only wait for the first, half as full. */
  readonly placeOf: (item: Item) => string
  /** Batches under way at the same time. */
  readonly concurrency: number
  /**
   * A place is crowded where as many wait as one of them says, and crowded places go into batches without the others:
   * whoever has little to write does not wait for the locks of who has much.
   */
  readonly crowdFrom?: (item: Item) => number
  /** Batches of crowds under way at the same time; one less than all where nothing is said. */
  readonly crowds?: number
  /** A crowd goes so long after the last one at the earliest: a statement has its price, and the more share it the better. */
  readonly crowdPaceMs?: number
  /** Whether writing the items one by one may succeed where the batch failed. */
  readonly worthSplitting: (error: unknown) => boolean
  /** Somebody else holds the place of the item, and nothing of it was written. It is tried again, in a batch of that place alone. */
  readonly isBusy?: (answer: Answer) => boolean
  /** How long an item waits for a place that is busy; then it gets the answer that says so. */
  readonly maxBusyMs?: number
}

export interface Flusher<Item, Answer> {
  write(item: Item): Promise<Answer>
  /** Resolves when nothing is waiting and nothing is under way. */
  drain(): Promise<void>
}

export function createFlusher<Item, Answer>(options: FlusherOptions<Item, Answer>): Flusher<Item, Answer> {
  const maxCrowds = Math.max(1, options.crowds ?? options.concurrency - 1)
  const maxOthers = Math.max(1, options.concurrency - maxCrowds)
  const list = new WaitingList<Item, Answer>(options, () => drain.look())
  const drain = createDrain(() => underWay === 0 && list.entries.length === 0)
  let underWay = 0
  let crowdsUnderWay = 0
  const pace = createPace(options.crowdPaceMs ?? 0, () => schedule())
  let scheduled = false
  const held = createHeldPlaces(() => schedule())
  /** Keys and places of the batches under way. */
  const busy: Busy = { keys: new Set(), places: new Set() }

  function schedule(): void {
    if (scheduled || underWay >= options.concurrency || list.entries.length === 0) return
    scheduled = true
    // After the events that are already due, so that requests which arrived together travel together.
    setImmediate(start)
  }

  function start(): void {
    scheduled = false
    const taken = takeTurn()
    if (!taken) return
    const startedAt = performance.now()
    underWay += 1
    if (taken.isAlone) held.isUnderWay = true
    if (taken.crowded) {
      crowdsUnderWay += 1
      pace.note()
    }
    const items = taken.batch.map(({ item }) => item)
    list.take(items, taken.left)
    occupy(options, busy, items)
    void flush(options, taken.batch).then((busyOnes) => finish(taken, busyOnes, startedAt))
    schedule()
  }

  /** After a place that was busy, those with little; while crowds wait, only in the batches these may not have, so that nobody waits for ever. */
  function takeTurn(): Turn<Item, Answer> | undefined {
    const alone = takeAlone(options, list.entries, busy, held)
    if (alone) return alone
    const crowds = findCrowds(options, list.entries, busy, held.has)
    const isEarly = crowds.size > 0 && pace.isEarly()
    const mayTake = (crowded: boolean) =>
      crowded
        ? crowdsUnderWay < maxCrowds && !isEarly
        : crowds.size === 0 || underWay - crowdsUnderWay < maxOthers
    const isFree = (crowded: boolean) => (place: string) => !held.has(place) && crowds.has(place) === crowded
    for (const crowded of [false, true]) {
      if (!mayTake(crowded)) continue
      const taken = takeBatch(options, list.entries, busy, isFree(crowded))
      if (taken.batch.length > 0) return { ...taken, crowded, isAlone: false }
    }
    return undefined
  }

  function finish(turn: Turn<Item, Answer>, busyOnes: WaitingEntry<Item, Answer>[], startedAt: number): void {
    const items = turn.batch.map(({ item }) => item)
    underWay -= 1
    if (turn.crowded) crowdsUnderWay -= 1
    if (turn.isAlone) held.isUnderWay = false
    held.update(items.map(options.placeOf), new Set(busyOnes.map(({ item }) => options.placeOf(item))))
    // They came before whatever waits of the same place.
    list.putBack(busyOnes)
    list.noteBatch(vacate(options, busy, items), startedAt)
    schedule()
    drain.look()
  }

  return {
    write(item) {
      const answer = list.add(item)
      schedule()
      return answer
    },
    drain: drain.wait,
  }
}

/** Resolves those who wait for the end, when there is nothing left. */
function createDrain(isEmpty: () => boolean) {
  let drained: (() => void)[] = []
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        if (isEmpty()) resolve()
        else drained.push(resolve)
      }),
    look(): void {
      if (!isEmpty()) return
      for (const resolve of drained) resolve()
      drained = []
    },
  }
}

/** The items of one place that was busy and is due, without any others: it keeps no other place waiting. */
function takeAlone<Item, Answer>(
  options: FlusherOptions<Item, Answer>,
  waiting: readonly WaitingEntry<Item, Answer>[],
  busy: Busy,
  held: HeldPlaces,
): Turn<Item, Answer> | undefined {
  const due = held.next()
  if (due === undefined) return undefined
  const taken = takeBatch(options, waiting, busy, (place) => place === due)
  if (taken.batch.length > 0) return { ...taken, crowded: false, isAlone: true }
  held.forget(due)
  return undefined
}

/** A caller that is early is woken when it is time. */
function createPace(paceMs: number, wake: () => void) {
  let dueMs = 0
  let alarm: NodeJS.Timeout | undefined
  return {
    note: () => void (dueMs = performance.now() + paceMs),
    isEarly(): boolean {
      const leftMs = dueMs - performance.now()
      if (leftMs <= 0) return false
      alarm ??= setTimeout(() => {
        alarm = undefined
        wake()
      }, leftMs)
      return true
    },
  }
}

interface Busy {
  readonly keys: Set<string>
  readonly places: Set<string>
}

function occupy<Item, Answer>(
  { keysOf, placeOf }: FlusherOptions<Item, Answer>,
  busy: Busy,
  items: readonly Item[],
): void {
  for (const key of items.flatMap(keysOf)) busy.keys.add(key)
  for (const item of items) busy.places.add(placeOf(item))
}

/** Returns the places of the items. */
function vacate<Item, Answer>(
  { keysOf, placeOf }: FlusherOptions<Item, Answer>,
  busy: Busy,
  items: readonly Item[],
): ReadonlySet<string> {
  const places = new Set(items.map(placeOf))
  for (const key of items.flatMap(keysOf)) busy.keys.delete(key)
  for (const place of places) busy.places.delete(place)
  return places
}

interface Taken<Item, Answer> {
  readonly batch: WaitingEntry<Item, Answer>[]
  readonly left: WaitingEntry<Item, Answer>[]
}

interface Turn<Item, Answer> extends Taken<Item, Answer> {
  readonly crowded: boolean
  /** True for a place that was busy. */
  readonly isAlone: boolean
}

/** Finds the crowds among the places that could be written to now. */
function findCrowds<Item, Answer>(
  { placeOf, crowdFrom }: FlusherOptions<Item, Answer>,
  waiting: readonly WaitingEntry<Item, Answer>[],
  { places }: Busy,
  isHeld: (place: string) => boolean,
): ReadonlySet<string> {
  if (!crowdFrom) return NO_CROWDS
  const counts = new Map<string, { count: number; from: number }>()
  for (const { item } of waiting) {
    const place = placeOf(item)
    if (places.has(place) || isHeld(place)) continue
    const { count, from } = counts.get(place) ?? { count: 0, from: Infinity }
    counts.set(place, { count: count + 1, from: Math.min(from, crowdFrom(item)) })
  }
  return new Set([...counts].filter(([, { count, from }]) => count >= from).map(([place]) => place))
}

const NO_CROWDS: ReadonlySet<string> = new Set()

function takeBatch<Item, Answer>(
  { keysOf, placeOf, sizeOf, maxItems, maxSize }: FlusherOptions<Item, Answer>,
  waiting: readonly WaitingEntry<Item, Answer>[],
  busy: Busy,
  isWanted: (place: string) => boolean,
): Taken<Item, Answer> {
  const batch: WaitingEntry<Item, Answer>[] = []
  const left: WaitingEntry<Item, Answer>[] = []
  const seen = new Set(busy.keys)
  let size = 0
  for (const entry of waiting) {
    const keys = keysOf(entry.item)
    const full = batch.length >= maxItems || (batch.length > 0 && size + sizeOf(entry.item) > maxSize)
    const place = placeOf(entry.item)
    const clash = !isWanted(place) || busy.places.has(place) || keys.some((key) => seen.has(key))
    // A key that stays behind keeps its later namesakes behind too, so that they keep their order.
    for (const key of keys) seen.add(key)
    if (full || clash) left.push(entry)
    else {
      batch.push(entry)
      size += sizeOf(entry.item)
    }
  }
  return { batch, left }
}

/** Returns those whose place is busy and that may wait longer; everybody else is answered. */
async function flush<Item, Answer>(
  options: FlusherOptions<Item, Answer>,
  batch: readonly WaitingEntry<Item, Answer>[],
): Promise<WaitingEntry<Item, Answer>[]> {
  const { isBusy = () => false, maxBusyMs = 0 } = options
  try {
    const answers = await options.write(batch.map(({ item }) => item))
    if (answers.length !== batch.length) throw new Error('a batch was answered in part')
    const waitsOn: WaitingEntry<Item, Answer>[] = []
    for (const [index, answer] of answers.entries()) {
      const entry = batch[index]
      if (entry && isBusy(answer) && performance.now() - entry.sinceMs < maxBusyMs) waitsOn.push(entry)
      else entry?.resolve(answer)
    }
    return waitsOn
  } catch (error) {
    // One item that cannot be written must not take its neighbours along.
    if (batch.length > 1 && options.worthSplitting(error))
      return (await Promise.all(batch.map((entry) => flush(options, [entry])))).flat()
    for (const entry of batch) entry.reject(error)
    return []
  }
}
