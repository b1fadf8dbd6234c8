/** Twin tenants: the same scope ids, the same display order, and never a byte of one in an answer to the other. */
import { beforeAll, describe, expect, it } from 'vitest'
import { walk } from '../../rules/pages.ts'
import { createSubject } from '../../subject.ts'
import { asAdminOf, bearer, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

interface Item {
  readonly scope_id: string
  readonly display_name: string | null
}

const mine = createSubject('listOwnScopes')
const administered = createSubject('listScopes')
const one = createSubject('getOwnScope')

const shared = ['alpha', 'beta', 'gamma']
const mark = { left: 'canary-left', right: 'canary-right' } as const
type Side = keyof typeof mark
const sides = [
  ['left', 'right'],
  ['right', 'left'],
] as const

let twins: Readonly<Record<Side, Tenant>>

beforeAll(async () => {
  const [left, right] = await Promise.all([createTenant('twin'), createTenant('twin')])
  twins = { left, right }
  for (const scopeId of shared)
    await Promise.all(sides.map(([side]) => createScope(twins[side], scopeId, `${mark[side]} ${scopeId}`)))
  await Promise.all(sides.map(([side]) => createScope(twins[side], `only-${side}`, mark[side])))
})

const namesOf = (side: Side) => [...shared.map((scopeId) => `${mark[side]} ${scopeId}`), mark[side]]

describe.each(sides)('isolation: the %s twin', (side, other) => {
  it.each([1, 2, 100])('lists its own scopes and none of its twin, %s at a time', async (limit) => {
    const pages = await walk<Item>(mine, { headers: bearer(twins[side].key) }, limit)
    expect(pages.flatMap((page) => page.items.map((item) => item.display_name))).toEqual(namesOf(side))
  })

  it.each([1, 2, 100])('is administered with its own scopes alone, %s at a time', async (limit) => {
    const pages = await walk<Item>(administered, { headers: asAdminOf(twins[side]) }, limit)
    expect(pages.flatMap((page) => page.items.map((item) => item.display_name))).toEqual(namesOf(side))
  })

  it('reads under a shared id what is its own', async () => {
    for (const scopeId of shared) {
      const reply = await one.call({ headers: bearer(twins[side].key), params: { scopeId } })
      expect(one.expectAnswer(reply, 200).display_name).toBe(`${mark[side]} ${scopeId}`)
    }
  })

  it('does not find what only its twin has', async () => {
    const reply = await one.call({ headers: bearer(twins[side].key), params: { scopeId: `only-${other}` } })
    one.expectProblem(reply, 'scope_not_found')
    expect(reply.text).not.toContain(mark[other])
  })

  it('cannot go on where its twin stopped and see more than its own', async () => {
    const [page] = await walk<Item>(mine, { headers: bearer(twins[other].key) }, 1)
    const query = `limit=100&cursor=${page?.next_cursor}`
    const reply = await mine.call({ headers: bearer(twins[side].key), query })
    const names = mine.expectAnswer(reply, 200).items.map((item) => item.display_name)
    expect(names).toEqual(namesOf(side).slice(1))
  })

  it('cannot name its twin with a header', async () => {
    const headers = { ...bearer(twins[side].key), 'x-tenant-id': twins[other].tenantId }
    const reply = await mine.call({ headers })
    mine.expectProblem(reply, 'tenant_mismatch')
    expect(reply.text).not.toContain(mark[other])
  })

  it('is not mixed up with its twin when both ask at once', async () => {
    const asks = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? side : other))
    const replies = await Promise.all(asks.map((who) => mine.call({ headers: bearer(twins[who].key) })))
    const wrong = replies.filter((reply, index) => {
      const who = asks[index] ?? side
      return !reply.text.includes(mark[who]) || reply.text.includes(mark[who === side ? other : side])
    })
    expect(wrong).toEqual([])
  })
})
