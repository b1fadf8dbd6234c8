/** Lists come in pages: each item once, none left out, and no page larger than was asked for. */
import { describe, expect, it } from 'vitest'
import type { SubjectCall, Subject } from '../subject.ts'

/** Where ids are any text these are positions like others; they must still do no harm. */
const INJECTIONS = [`["'; select 1 --"]`, '["\\ud800"]']

export interface PageBody<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export interface ListedThings<Item> {
  /** The list to read, without `limit` and `cursor`. */
  readonly list: () => SubjectCall
  readonly idOf: (item: Item) => string
  /** Ids in the list, in the order the contract promises; others may stand between them. */
  readonly present: () => readonly string[]
  /** Where to start in a list that others fill too; at its beginning where nothing is said. */
  readonly from?: () => string | undefined
  /** The cursor of another list. */
  readonly foreignCursor: () => Promise<string>
  /** Ids are any text, so that a made-up cursor can look just like one that a page gave. */
  readonly anyId?: boolean
}

/** Every page from `from` on. Fails rather than going round in circles. */
export async function walk<Item>(
  subject: Subject,
  call: SubjectCall,
  limit: number,
  from?: string,
): Promise<PageBody<Item>[]> {
  const pages = [await readPage<Item>(subject, call, limit, from)]
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    pages.push(await readPage<Item>(subject, call, limit, cursor))
    if (pages.length > 2_000) throw new Error('The list does not end.')
  }
  return pages
}

async function readPage<Item>(
  subject: Subject,
  call: SubjectCall,
  limit: number,
  cursor: string | undefined,
): Promise<PageBody<Item>> {
  const query = cursor === undefined ? `limit=${limit}` : `limit=${limit}&cursor=${cursor}`
  const reply = await subject.call({ ...call, query })
  return subject.expectForm(reply, 200) as PageBody<Item>
}

/** Where the first item of the list ends. */
export async function firstCursor(subject: Subject, call: SubjectCall): Promise<string> {
  const { next_cursor: cursor } = await readPage(subject, call, 1, undefined)
  if (cursor === null) throw new Error('The list is too short to have a cursor.')
  return cursor
}

export function describePages<Item>(subject: Subject, things: ListedThings<Item>): void {
  describeWalk(subject, things)
  describeLimit(subject, things)
  describeCursor(subject, things)
}

function describeWalk<Item>(subject: Subject, { list, idOf, present, from }: ListedThings<Item>): void {
  describe(`${subject.operation.name}: 200 page by page`, () => {
    it.each([1, 2, 3, 100])('shows each item once and in order, %s at a time', async (limit) => {
      const pages = await walk<Item>(subject, list(), limit, from?.())
      const ids = pages.flatMap((page) => page.items.map(idOf))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => present().includes(id))).toEqual(present())
      expect(pages.slice(0, -1).map((page) => page.items.length)).toEqual(Array(pages.length - 1).fill(limit))
      expect(pages.at(-1)?.items.length).toBeLessThanOrEqual(limit)
    })

    it('gives the same page for the same cursor', async () => {
      const query = `limit=1&cursor=${await firstCursor(subject, list())}`
      const [once, again] = [
        await subject.call({ ...list(), query }),
        await subject.call({ ...list(), query }),
      ]
      expect(once.status).toBe(200)
      expect(again.text).toBe(once.text)
    })
  })
}

function describeLimit<Item>(subject: Subject, { list }: ListedThings<Item>): void {
  const expectRefused = async (query: string, pointer: string) => {
    const reply = await subject.call({ ...list(), query })
    subject.expectProblem(reply, 'validation_failed', { pointers: [pointer] })
  }
  describe(`${subject.operation.name}: 422 for a query it does not understand`, () => {
    it.each([
      '0',
      '101',
      '-1',
      '+1',
      '1.5',
      '1e1',
      '0x10',
      '01',
      '',
      '%20',
      '5%20',
      'ten',
      '1000000000000',
      '%00',
      '٣',
    ])('refuses limit=%s', async (limit) =>
      expectRefused(`limit=${limit === '٣' ? encodeURIComponent(limit) : limit}`, 'query#/limit'),
    )

    it('refuses a limit that is given twice', async () => expectRefused('limit=1&limit=2', 'query#/limit'))

    it.each(['offset', 'page', 'Limit', 'tenant_id'])('refuses the unknown parameter %s', async (parameter) =>
      expectRefused(`${parameter}=1`, `query#/${parameter}`),
    )

    it('tells all faults at once', async () => {
      const reply = await subject.call({ ...list(), query: 'limit=0&cursor=!&page=2' })
      const pointers = ['query#/limit', 'query#/cursor', 'query#/page']
      subject.expectProblem(reply, 'validation_failed', { pointers })
    })
  })
}

function describeCursor<Item>(subject: Subject, things: ListedThings<Item>): void {
  const { list, foreignCursor, anyId = false } = things
  const ask = async (cursor: string) => subject.call({ ...list(), query: `limit=1&cursor=${cursor}` })
  const expectRefused = async (cursor: string) =>
    subject.expectProblem(await ask(cursor), 'validation_failed', { pointers: ['query#/cursor'] })
  const ownCursor = async () => firstCursor(subject, list())

  describe(`${subject.operation.name}: 422 for a cursor that no page gave`, () => {
    it.each(['', 'x', '1', 'null', 'AAAA', '%00', 'a%20b', 'a=', "'--", '..%2f..', 'a'.repeat(501)])(
      'refuses %s',
      async (cursor) => expectRefused(cursor),
    )

    it.each([
      '{}',
      '[]',
      '[1]',
      '[null]',
      '["\\u0000"]',
      '["a","b","c","d"]',
      '[["a"]]',
      ...(anyId ? [] : INJECTIONS),
    ])('refuses one that is made up: %s', async (made) =>
      expectRefused(Buffer.from(made).toString('base64url')),
    )

    it('refuses one of its own that was cut short', async () =>
      expectRefused((await ownCursor()).slice(0, -3)))

    it('refuses that of another list', async () => expectRefused(await foreignCursor()))

    it('refuses one that is given twice', async () => {
      const cursor = await ownCursor()
      await expectRefused(`${cursor}&cursor=${cursor}`)
    })

    it.each(INJECTIONS)('never fails over %s', async (made) => {
      const reply = await ask(Buffer.from(made).toString('base64url'))
      expect([200, 422], reply.text).toContain(reply.status)
    })

    it.each(['0', '9'])('never fails over one whose digits all became %s', async (digit) => {
      const forged = Buffer.from(await ownCursor(), 'base64url')
        .toString()
        .replaceAll(/\d/g, digit)
      const reply = await ask(Buffer.from(forged).toString('base64url'))
      expect([200, 422], reply.text).toContain(reply.status)
    })
  })
}
