import { describe, expect, it } from 'vitest'
import { everyPage } from '../../src/command/pages.ts'

describe('everyPage', () => {
  it('walks from page to page until there is no next one', async () => {
    const asked: (string | undefined)[] = []
    const items = await everyPage(async ({ cursor, limit }) => {
      asked.push(cursor)
      expect(limit).toBeLessThanOrEqual(100)
      const page = Number(cursor ?? 0)
      return { items: [page], nextCursor: page < 3 ? String(page + 1) : null }
    })
    expect(items).toEqual([0, 1, 2, 3])
    expect(asked).toEqual([undefined, '1', '2', '3'])
  })
})
