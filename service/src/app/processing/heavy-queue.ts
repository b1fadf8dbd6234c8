/**
 * A queue for heavy work. One batch of one scope is in flight at a time, so a transaction locks a single scope. Tenants take
 * turns (round robin), and so do the scopes of a tenant: nobody waits for more than one batch of another tenant's backlog.
 */

export interface HeavyQueueOptions<Item, Answer> {
  /** Answers in the order of the items. A rejection means that nothing of the batch was written. */
  readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>
  readonly tenantOf: (item: Item) => string
  readonly scopeOf: (item: Item) => string
  readonly sizeOf: (item: Item) => number
  /** The maximum size of a batch. A larger item is written alone. */
  readonly maxSize: number
  readonly maxItems: number
  /** Whether writing the items one by one may succeed where the batch failed. */
  readonly retryIndividually: (error: unknown) => boolean
}

export interface HeavyQueue<Item, Answer> {
  write(item: Item): Promise<Answer>
  /** Resolves when nothing is waiting and nothing is in flight. */
  drain(): Promise<void>
}

interface Entry<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export function createHeavyQueue<Item, Answer>(
  options: HeavyQueueOptions<Item, Answer>,
): HeavyQueue<Item, Answer> {
  // Maps keep insertion order: the tenant, and its scope, that was served longest ago comes first.
  const tenants = new Map<string, Map<string, Entry<Item, Answer>[]>>()
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    for (let batch = takeBatch(tenants, options); batch; batch = takeBatch(tenants, options)) {
      // oxlint-disable-next-line no-await-in-loop -- one batch at a time is the point
      await writeBatch(options, batch)
    }
    running = undefined
  }

  return {
    write: (item) =>
      new Promise((resolve, reject) => {
        const scopes = getOrAdd(tenants, options.tenantOf(item), () => new Map())
        getOrAdd(scopes, options.scopeOf(item), (): Entry<Item, Answer>[] => []).push({
          item,
          resolve,
          reject,
        })
        running ??= run()
      }),
    drain: async () => running,
  }
}

type Waiting<Item, Answer> = Map<string, Map<string, Entry<Item, Answer>[]>>

/** Returns undefined if nothing is waiting. */
function takeBatch<Item, Answer>(
  tenants: Waiting<Item, Answer>,
  { sizeOf, maxSize, maxItems }: HeavyQueueOptions<Item, Answer>,
): Entry<Item, Answer>[] | undefined {
  const [nextTenant] = tenants
  if (!nextTenant) return undefined
  const [tenant, scopes] = nextTenant
  const [nextScope] = scopes
  const [scope, entries] = nextScope ?? ['', []]
  let size = 0
  const isWithin = ({ item }: Entry<Item, Answer>, index: number) => {
    size += sizeOf(item)
    return index === 0 || (index < maxItems && size <= maxSize)
  }
  const end = entries.findIndex((entry, index) => !isWithin(entry, index))
  const batch = entries.splice(0, end === -1 ? entries.length : end)
  scopes.delete(scope)
  if (entries.length > 0) scopes.set(scope, entries)
  tenants.delete(tenant)
  if (scopes.size > 0) tenants.set(tenant, scopes)
  return batch
}

async function writeBatch<Item, Answer>(
  options: HeavyQueueOptions<Item, Answer>,
  batch: readonly Entry<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await options.write(batch.map(({ item }) => item))
    if (answers.length !== batch.length) throw new Error('a batch was answered in part')
    for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
  } catch (error) {
    if (batch.length === 1 || !options.retryIndividually(error)) {
      for (const entry of batch) entry.reject(error)
      return
    }
    for (const entry of batch) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await writeBatch(options, [entry])
    }
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, add: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = add()
  map.set(key, value)
  return value
}
