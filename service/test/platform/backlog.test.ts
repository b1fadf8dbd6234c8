import { describe, expect, it } from 'vitest'
import { Backlog } from '../../src/platform/backlog.ts'

const createBacklog = () => new Backlog({ maxItems: 10, maxSize: 1_000 })

function add(backlog: Backlog, count: number, size: number): void {
  for (let item = 0; item < count; item += 1) backlog.add('scope', size)
}

function start(backlog: Backlog, count: number, size: number): void {
  for (let item = 0; item < count; item += 1) backlog.start('scope', size)
}

describe('the backlog of a scope', () => {
  it('is expected to take no time before a batch has ended', () => {
    const backlog = createBacklog()
    add(backlog, 100, 100)
    expect(backlog.estimateMs('scope')).toBe(0)
  })

  it('takes as many batches as its items or its bytes need, at the pace of the last ones', () => {
    const backlog = createBacklog()
    add(backlog, 30, 50)
    start(backlog, 10, 50)
    backlog.recordBatch('scope', 1_000, 1_400)
    start(backlog, 10, 50)
    // From the end of the one before, pauses between the two included.
    backlog.recordBatch('scope', 1_500, 2_000)
    expect(backlog.estimateMs('scope')).toBe(400)
    add(backlog, 5, 500)
    expect(backlog.estimateMs('scope')).toBe(3 * 400)
    expect(backlog.estimateMs('another')).toBe(0)
  })

  it('counts the first batch half, because one that was slow by accident says little', () => {
    const backlog = createBacklog()
    add(backlog, 20, 1)
    start(backlog, 10, 1)
    backlog.recordBatch('scope', 0, 8_000)
    expect(backlog.estimateMs('scope')).toBe(4_000)
  })

  it('is forgotten when nothing waits any more', () => {
    const backlog = createBacklog()
    add(backlog, 11, 1)
    start(backlog, 10, 1)
    backlog.recordBatch('scope', 0, 8_000)
    start(backlog, 1, 1)
    backlog.recordBatch('scope', 8_000, 16_000)
    add(backlog, 100, 1)
    expect(backlog.estimateMs('scope')).toBe(0)
    backlog.recordBatch('scope', 0, 1_000)
    for (let item = 0; item < 100; item += 1) backlog.giveUp('scope', 1)
    add(backlog, 100, 1)
    expect(backlog.estimateMs('scope')).toBe(0)
  })
})
