/** The pure parts of the proof of erasure: what is planned, what counts as left over, and when something opens. */
import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasCome } from '../proofs/erasure/answers.ts'
import { oddTables, rowsInside } from '../proofs/erasure/rows.ts'
import { openSealed, parseMasterKeys, tryAll, unwrapKeys } from '../proofs/erasure/seals.ts'
import type { Sealed } from '../proofs/erasure/seals.ts'
import { planSite } from '../proofs/erasure/site.ts'
import { searchFiles } from '../harness/file-search.ts'

/** Written down once more, so that opening is tested against the form and not against itself. */
function seal(key: Buffer, context: string, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([Buffer.of(1), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

describe('a planned site', () => {
  const site = planSite('erased', 4)

  test('has its mark in every word of content, and another one in every id', () => {
    for (const { id, name, source, text, provenance, idempotencyKey } of site.documents) {
      for (const word of [name, source, text, provenance ?? idempotencyKey])
        expect(word).toContain(site.contentMark)
      expect(id).toContain(site.idMark)
      expect(id).not.toContain(site.contentMark)
    }
    expect(site.scopeId).not.toContain(site.idMark)
  })

  test('goes in by both kinds of route, and shares no mark with another', () => {
    expect(site.documents.filter(({ provenance }) => provenance !== null)).toHaveLength(2)
    expect(site.documents.filter(({ idempotencyKey }) => idempotencyKey !== null)).toHaveLength(2)
    expect(planSite('erased', 1).contentMark).not.toBe(site.contentMark)
  })
})

describe('sealed content', () => {
  const master = randomBytes(32)
  const key = randomBytes(32)
  const place = { tenantId: 't', scopeId: 'größe', epoch: 3 }
  const row = { ...place, wrapped: seal(master, '14:scope-data-key|1:t|7:größe|1:3', key) }
  const text: Sealed = {
    ...place,
    purpose: 'text',
    documentId: 'd',
    numbers: [],
    sealed: seal(key, '4:text|1:t|7:größe|1:d|1:3', Buffer.from('the canary')),
  }

  test('opens with its key among others, and only at its place', () => {
    expect(openSealed(text, [randomBytes(32), key])?.toString()).toBe('the canary')
    expect(openSealed(text, [randomBytes(32)])).toBeUndefined()
    expect(openSealed(text, [])).toBeUndefined()
    expect(openSealed({ ...text, epoch: 4 }, [key])).toBeUndefined()
    expect(openSealed({ ...text, purpose: 'card' }, [key])).toBeUndefined()
    expect(openSealed({ ...text, sealed: Buffer.from('the canary') }, [key])).toBeUndefined()
  })

  test('is reached through a wrapped key only with its master key', () => {
    expect(unwrapKeys([row], [randomBytes(32), master])).toEqual([key])
    expect(unwrapKeys([row], [randomBytes(32)])).toEqual([])
    expect(unwrapKeys([{ ...row, epoch: 2 }], [master])).toEqual([])
    const ring = `mk2:${randomBytes(32).toString('base64')},mk1:${master.toString('base64')}`
    expect(parseMasterKeys(ring)[1]?.equals(master)).toBe(true)
  })

  test('is counted by what opens, and by what is found in it', () => {
    const sealed = seal(key, '4:text|1:t|7:größe|1:e|1:3', Buffer.from('nothing'))
    const other = { ...text, documentId: 'e', sealed }
    expect(tryAll([text, other], [key], 'canary')).toEqual({ of: 2, opened: 2, marked: 1 })
    expect(tryAll([text, other], [randomBytes(32)], 'canary')).toEqual({ of: 2, opened: 0, marked: 0 })
  })
})

describe('what is left of a scope', () => {
  const empty = { scopes: 1, scope_heads: 1, scope_keys: 1, scope_log: 1, scope_convergence: 1, documents: 0 }
  const rows = (ofScope: Record<string, number>) => ({ ofScope, content: 0, ids: 0 })

  test('is nothing but the scope itself', () => {
    expect(rowsInside(rows(empty))).toBe(0)
    expect(oddTables(rows(empty))).toEqual([])
  })

  test('is found in tables that nobody thought of, and in a key that stayed', () => {
    expect(rowsInside(rows({ ...empty, documents: 2, claims: 3 }))).toBe(5)
    expect(oddTables(rows({ ...empty, scope_keys: 2 }))).toEqual(['scope_keys'])
    expect(oddTables(rows({ documents: 0 }))).toContain('scopes')
  })
})

test('a search goes through all files of a folder, and finds text and bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'concord-erasure-'))
  try {
    await mkdir(join(folder, 'deep', 'er'), { recursive: true })
    await writeFile(join(folder, 'one'), Buffer.concat([Buffer.of(0, 255, 1, 2), Buffer.from('canary')]))
    await writeFile(join(folder, 'deep', 'er', 'two'), 'a canary')
    const wanted = [Buffer.from('canary'), Buffer.of(255, 1), Buffer.from('nothing')]
    expect(await searchFiles(folder, 0, wanted)).toEqual({ files: 2, bytes: 18, hits: [2, 1, 0] })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a stream has come far enough when the event is there as often as it should', () => {
  const frame = 'id: 1\nevent: scope.reset\ndata: {}\n\n'
  expect(hasCome(frame, { event: 'scope.reset', times: 1 })).toBe(true)
  expect(hasCome(frame, { event: 'scope.reset', times: 2 })).toBe(false)
  expect(hasCome(frame, { event: 'document.processed', times: 1 })).toBe(false)
})
