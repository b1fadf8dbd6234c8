/** Many small tasks, a bounded number at a time. */

export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const takeTurns = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      await work(items[index] as Item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
}
