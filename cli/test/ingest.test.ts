/** Files go in once each, however often the command is run, changed or killed, and each comes to an end that is told. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeDocx, makePdf } from '@concord/tools/sample-files'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IngestSummary } from '../src/ingest/summary.ts'
import { manyFigures } from './support/figures.ts'
import { useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 120_000 })

const world = useWorld()

/** A test is given a scope and a folder of its own. */
let scopeId = ''
let folder = ''
let number = 0

beforeEach(async () => {
  number += 1
  scopeId = `case-${number}`
  folder = join(world().home, scopeId)
  await mkdir(folder, { recursive: true })
  await world().concord.createScope({ scope_id: scopeId })
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const put = (name: string, content: string | Buffer) => writeFile(join(folder, name), content)

async function ingest(...args: string[]): Promise<{ code: number | null; summary: IngestSummary }> {
  const { code, stdout, output } = await world().run(
    ['ingest', '--scope', scopeId, '--json', ...args],
    world().env,
    folder,
  )
  if (stdout === '') throw new Error(output)
  return { code, summary: JSON.parse(stdout) as IngestSummary }
}

async function storedIds(): Promise<string[]> {
  const ids: string[] = []
  for await (const { document_id: id } of world().concord.listDocuments.all({ scopeId })) ids.push(id)
  return ids
}

const revenue = (amount: string) => `The revenue of Borealis Ltd in 2025 was EUR ${amount}.\n`

describe('concord ingest', () => {
  it('hands in every type, waits for all and says what was opened', async () => {
    await mkdir(join(folder, 'sub', '.hidden'), { recursive: true })
    await put('a.txt', revenue('12.4m'))
    await put('sub/b.pdf', makePdf([[revenue('11.9m').trim()], []]))
    await put('sub/c.docx', makeDocx(`<w:p><w:r><w:t>${revenue('13.3m').trim()}</w:t></w:r></w:p>`))
    await put('d.html', `<p>${revenue('12.4m')}</p>`)
    await put('g.csv', 'Site,Employees\nLund,240\n')
    await put('h.eml', `From: a@example.com\nSubject: Figures\n\n${revenue('12.4m')}`)
    await put('e.md', '# Notes\n\nNothing is claimed here.\n')
    await put('f.bin', 'x')
    await put('sub/.hidden/g.txt', 'x')
    const { code, summary } = await ingest('.')
    expect(summary).toEqual({
      scope_id: scopeId,
      documents: 7,
      accepted: 7,
      repeated: 0,
      processed: 7,
      with_gaps: [
        { path: 'e.md', document_id: 'e.md', read: 'whole', percent_read: 100, reason: 'no claim found' },
      ],
      with_unread_parts: [
        { path: 'sub/b.pdf', document_id: 'sub/b.pdf', unread: [{ part: 'page', number: 2 }] },
      ],
      held: 0,
      unfinished: 0,
      not_sent: 0,
      failed: [],
      left_out: 1,
      contradictions_opened: expect.any(Number),
      comparisons: { claims: expect.any(Number), compared: expect.any(Number), pending: 0 },
    })
    expect(code).toBe(0)
    expect(await storedIds()).toEqual([
      'a.txt',
      'd.html',
      'e.md',
      'g.csv',
      'h.eml',
      'sub/b.pdf',
      'sub/c.docx',
    ])
    const { contradictions } = await world().concord.getOwnScope({ scopeId })
    expect(contradictions.total).toBeGreaterThan(0)
    expect(summary.contradictions_opened).toBe(contradictions.total)
  })

  it('stores nothing twice, a changed file as a new version, and an old text that comes back as well', async () => {
    await put('a.txt', revenue('12.4m'))
    await put('b.txt', revenue('11.9m'))
    await ingest('a.txt', 'b.txt')
    const again = await ingest('.')
    expect(again.summary).toMatchObject({ accepted: 0, repeated: 2, processed: 2, contradictions_opened: 0 })
    await put('a.txt', revenue('12.5m'))
    expect((await ingest('.')).summary).toMatchObject({ accepted: 1, repeated: 1, processed: 2 })
    await put('a.txt', revenue('12.4m'))
    expect((await ingest('.')).summary).toMatchObject({ accepted: 1, repeated: 1, processed: 2 })
    const { version } = await world().concord.getDocument({ scopeId, documentId: 'a.txt' })
    expect(version).toBe(3)
  })

  it('sets tags and metadata on all it sends, short texts and those sent before included', async () => {
    await put('a.txt', `  ${revenue('12.4m')}`)
    await put('b.csv', 'Site,Employees\nLund,240\n')
    expect((await ingest('a.txt')).summary).toMatchObject({ accepted: 1 })
    const labels = ['--tag', 'lease', '--tag', '2025', '--metadata', 'matter=7/2025', '--metadata', 'a=b=c']
    expect((await ingest('.', ...labels)).summary).toMatchObject({ accepted: 1, repeated: 1 })
    const filter = { scopeId, tag: '2025', metadata: 'a:b=c' }
    const { items } = await world().concord.listDocuments(filter)
    expect(items.map(({ document_id: id, version }) => [id, version])).toEqual([
      ['a.txt', 1],
      ['b.csv', 1],
    ])
    expect(items[0]).toMatchObject({ tags: ['lease', '2025'], metadata: { a: 'b=c', matter: '7/2025' } })
  })

  it('ends with 1 and says which file failed and why, and hands in the others', async () => {
    await put('good.txt', revenue('12.4m'))
    await put('long.txt', 'a '.repeat(1_000_001))
    await put('odd.txt', Buffer.from([0xff, 0x61, 0xfc]))
    await put('sheet.xlsx', 'x')
    await put('old.doc', 'x')
    const { code, summary } = await ingest('good.txt', 'long.txt', 'odd.txt', 'old.doc', 'sheet.xlsx')
    expect(code).toBe(1)
    expect(summary).toMatchObject({ accepted: 1, processed: 1 })
    expect(summary.failed.map(({ path, reason }) => [path, reason])).toEqual([
      ['long.txt', expect.stringMatching(/2,000,000/)],
      ['odd.txt', expect.stringMatching(/UTF-8/)],
      ['old.doc', expect.stringMatching(/type/)],
      ['sheet.xlsx', expect.stringMatching(/not of the type that it is sent as/)],
    ])
  })

  it('hands in a text of more than 100,000 characters as a file', async () => {
    await put(
      'long.txt',
      `${'Nothing is claimed in this line of the text.\n'.repeat(2_500)}${revenue('12.4m')}`,
    )
    expect((await ingest('long.txt')).summary).toMatchObject({ accepted: 1, processed: 1 })
    expect((await ingest('long.txt')).summary).toMatchObject({ accepted: 0, repeated: 1 })
    const { items } = await world().concord.listClaims({ scopeId })
    const revenues = items.filter(({ kind }) => kind === 'money')
    expect(revenues.map(({ location }) => location?.line)).toEqual([2_501])
  })

  it('takes a document from the standard input', async () => {
    const ended = await world().run(['ingest', '--scope', scopeId, '-'], world().env, folder)
    expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(/--id/)])
    expect((await ingest('-', '--id', 'empty')).summary.failed).toEqual([
      { path: '-', document_id: 'empty', reason: 'There is no text in it.' },
    ])
  })

  it('does not wait for what does not move, nor where it is told not to', async () => {
    await put('a.txt', revenue('12.4m'))
    expect((await ingest('a.txt', '--no-wait')).code).toBe(0)
    await world().concord.pauseRuntime({ scope_id: scopeId })
    await put('b.txt', revenue('12.4m'))
    const { code, summary } = await ingest('b.txt')
    expect([code, summary.accepted, summary.unfinished]).toEqual([0, 1, 1])
  })

  it.each([
    ['a file that is not there', ['nowhere.txt'], /nowhere\.txt/],
    ['a scope that is not there', ['a.txt', '--scope', 'nowhere'], /No such scope/],
  ])('sends nothing for %s', async (_, args, why) => {
    await put('a.txt', revenue('12.4m'))
    const ended = await world().run(['ingest', '--scope', scopeId, ...args], world().env, folder)
    expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(why)])
    expect(await storedIds()).toEqual([])
  })

  it('prints a line a document where there is no terminal, and a summary', async () => {
    await put('a.txt', revenue('12.4m'))
    const { stdout, output } = await world().run(['ingest', '--scope', scopeId, 'a.txt'], world().env, folder)
    expect(output).toMatch(/^processed {2}a\.txt$/m)
    expect(stdout.split('\n')).toEqual([
      `1 document for ${scopeId}: 1 accepted, 0 repeated, 1 processed`,
      '1 document processed, all read whole',
      expect.stringMatching(/^Nothing new found; 0 of \d+ claims? of the scope compared\.$/),
      '',
    ])
    expect(output).not.toContain('\u001B')
  })

  it('ends with what was not read whole, and why', async () => {
    await put('long.txt', manyFigures(600))
    await put('a.txt', revenue('12.4m'))
    const { stdout } = await world().run(['ingest', '--scope', scopeId, '.'], world().env, folder)
    expect(stdout).toMatch(
      /^2 documents processed; 1 not read whole:\n {2}long\.txt \(\d\d %: more than 400 claims\)\n/m,
    )
    const again = await ingest('.')
    expect(again.summary.with_gaps).toEqual([
      {
        path: 'long.txt',
        document_id: 'long.txt',
        read: 'part',
        percent_read: expect.any(Number),
        reason: expect.stringMatching(/more than 400 claims$/),
      },
    ])
  })
})

/** `CLI_INGEST_FILES=1000 CLI_INGEST_KILLS=20` for the figure that is promised. */
const FILES = Number(process.env['CLI_INGEST_FILES'] ?? 60)
const KILLS = Number(process.env['CLI_INGEST_KILLS'] ?? 4)

describe('interrupted again and again', () => {
  it(
    `ends with exactly ${FILES} documents`,
    async () => {
      await Promise.all(
        Array.from({ length: FILES }, (_, at) => put(`${at}.txt`, `Site ${at} has ${at + 10} employees.\n`)),
      )
      let cut = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = world().start(
          ['ingest', '--scope', scopeId, '--concurrency', '4', '.'],
          world().env,
          folder,
        )
        const wait = 300 + Math.random() * 700
        await delay(wait)
        child.signal(kill % 2 === 0 ? 'SIGINT' : 'SIGKILL')
        const { code, signal } = await child.exited
        if (signal === 'SIGKILL' || signal === 'SIGINT' || code === 130) cut += 1
      }
      expect(cut).toBeGreaterThan(0)
      const { code, summary } = await ingest('.')
      expect([code, summary.failed]).toEqual([0, []])
      expect(summary.accepted + summary.repeated).toBe(FILES)
      expect(summary.processed).toBe(FILES)
      const { documents } = await world().concord.getOwnScope({ scopeId })
      expect([documents.total, documents.by_status.processed]).toEqual([FILES, FILES])
      let versions = 0
      for await (const { version } of world().concord.listDocuments.all({ scopeId })) versions += version
      expect(versions).toBe(FILES)
    },
    FILES * 300 + KILLS * 5_000 + 60_000,
  )
})
