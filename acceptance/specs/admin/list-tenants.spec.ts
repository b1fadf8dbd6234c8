/** listTenants: every tenant by name, page by page, oldest first. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor, walk } from '../../rules/pages.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { asAdmin, asAdminOf, createScope, createTenant } from '../../world/tenants.ts'

interface Item {
  readonly tenant_id: string
  readonly name: string
  readonly created_at: string
}

const subject = createSubject('listTenants')
const good = () => ({ headers: asAdmin() })
const names = Array.from({ length: 5 }, () => `acceptance ${randomUUID()}`)
const made: string[] = []
/** Others create tenants too, perhaps thousands; the pages that matter are the last ones. */
let from: string | undefined

beforeAll(async () => {
  from = (await walk(subject, good(), 100)).at(-2)?.next_cursor ?? undefined
  for (const name of names) made.push((await createTenant(name)).tenantId)
})

describe('listTenants: 200', () => {
  it('shows id, name and age of each, and nothing of what it holds', async () => {
    const pages = await walk<Item>(subject, good(), 100, from)
    const items = pages.flatMap((page) => page.items).filter((item) => made.includes(item.tenant_id))
    expect(items).toEqual(
      made.map((tenantId, index) => ({
        tenant_id: tenantId,
        name: names[index],
        created_at: expect.any(String) as string,
      })),
    )
  })

  it('has the oldest first', async () => {
    const pages = await walk<Item>(subject, good(), 100, from)
    const ages = pages.flatMap((page) => page.items.map((item) => item.created_at))
    expect(ages).toEqual(ages.toSorted())
  })

  it('shows 50 at the most when no limit is given', async () => {
    const { items } = subject.expectAnswer(await subject.call(good()), 200)
    expect(items.length).toBeGreaterThan(0)
    expect(items.length).toBeLessThanOrEqual(50)
  })
})

async function scopesCursor(): Promise<string> {
  const tenant = await createTenant()
  await createScope(tenant)
  await createScope(tenant)
  return firstCursor(createSubject('listScopes'), { headers: asAdminOf(tenant) })
}

describePages<Item>(subject, {
  list: good,
  idOf: (item) => item.tenant_id,
  present: () => made,
  from: () => from,
  foreignCursor: scopesCursor,
})
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
