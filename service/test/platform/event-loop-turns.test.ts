import { describe, expect, it } from 'vitest'
import { nextTurn, slicesOf } from '../../src/platform/event-loop-turns.ts'

/** Counts the turns of the event loop until it is stopped. */
function countTurns() {
  let turn = 0
  let isOver = false
  const next = () => {
    turn += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return { turn: () => turn, stop: () => void (isOver = true) }
}

describe('nextTurn', () => {
  it('lets one caller continue in each turn of the event loop', async () => {
    const clock = countTurns()
    const turns: number[] = []
    const callers = Array.from({ length: 5 }, async () => {
      for (let slice = 0; slice < 4; slice += 1) {
        await nextTurn()
        turns.push(clock.turn())
      }
    })
    await Promise.all(callers)
    clock.stop()
    expect(turns).toHaveLength(20)
    expect(new Set(turns).size).toBe(20)
  })

  it('serves callers in the order in which they came', async () => {
    const order: string[] = []
    const caller = async (name: string) => {
      for (let slice = 0; slice < 3; slice += 1) {
        await nextTurn()
        order.push(name)
      }
    }
    await Promise.all([caller('a'), caller('b')])
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  })
})

describe('slicesOf', () => {
  const size = (item: number) => item

  it('fills each slice up to its size and keeps the order', () => {
    expect(slicesOf([3, 3, 3, 4, 1, 9, 1], size, 7)).toEqual([[3, 3], [3, 4], [1], [9], [1]])
  })

  it('gives an item that is too large a slice of its own', () => {
    expect(slicesOf([100, 1], size, 10)).toEqual([[100], [1]])
    expect(slicesOf([], size, 10)).toEqual([])
  })
})
