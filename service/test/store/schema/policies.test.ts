import { describe, expect, it } from 'vitest'
import { TENANT_POLICY, WIDE_POLICIES } from '../../../src/store/schema/policies.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'

const database = useDatabase()

const policies = () =>
  look<{ name: string; roles: string[]; qual: string | null; with_check: string | null }>(
    database(),
    `select tablename || '.' || policyname as name, roles::text[], qual, with_check from pg_policies
      where permissive = 'PERMISSIVE'`,
  )

describe('the policies this release knows', () => {
  it('are exactly those of a migrated database: each wide one is named, for its one role, and all others keep to the tenant', async () => {
    const found = await policies()
    const wide = found.filter(({ name }) => !name.endsWith('.tenant_rows'))
    expect(Object.fromEntries(wide.map(({ name, roles }) => [name, roles.join()]))).toEqual(WIDE_POLICIES)
    const narrow = found.filter(({ name }) => name.endsWith('.tenant_rows'))
    expect(narrow.length).toBeGreaterThanOrEqual(11)
    for (const { name, qual, with_check } of narrow)
      expect([name, qual, with_check]).toEqual([name, TENANT_POLICY, TENANT_POLICY])
  })

  it('allow no role to read content across tenants', () => {
    const content = new Set([
      'documents',
      'document_versions',
      'readings',
      'scope_keys',
      'idempotency_keys',
      'claims',
      'claim_keys',
      'claim_counts',
      'comparison_cuts',
      'contradictions',
    ])
    const tables = Object.keys(WIDE_POLICIES).map((name) => name.split('.')[0] ?? '')
    expect(tables.filter((table) => content.has(table))).toEqual([])
  })
})
