import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyIn, copyOut } from '../../src/store/copy-streams.ts'
import { useDatabase } from '../support/database.ts'

vi.setConfig({ testTimeout: 60_000 })

const ROWS = 20_000
const database = useDatabase()
let client: Client

beforeAll(async () => {
  client = new Client({ connectionString: database().url('owner') })
  await client.connect()
  await client.query(`create temp table lines (id int primary key, line text)`)
})
afterAll(() => client.end())

const someRows = `select n as id, repeat(md5(n::text), 100) as line from generate_series(1, ${ROWS}) as n`

describe('copying', () => {
  it('hands out bytes that stay as they came while more arrive', async () => {
    // Rows of uneven lengths, so that rows lie across the pieces in which they arrive.
    const length = (n: number) => 1 + ((n * 7919) % 211)
    const uneven = `select repeat(md5(n::text), 1 + (n * 7919) % 211) from generate_series(1, 3000) as n`
    const kept: Buffer[] = []
    const { output, rows } = copyOut(client, `copy (${uneven}) to stdout`)
    for await (const chunk of output as AsyncIterable<Buffer>) {
      kept.push(chunk)
      await new Promise((go) => setImmediate(go))
    }
    expect(await rows).toBe(3_000)
    const lines = Buffer.concat(kept).toString('latin1').trimEnd().split('\n')
    const wrong = lines.filter((line, index) => {
      const word = createHash('md5')
        .update(String(index + 1))
        .digest('hex')
      return line !== word.repeat(length(index + 1))
    })
    expect([lines.length, wrong.length]).toEqual([3_000, 0])
  })

  it('waits for whoever reads slowly, and loses nothing', async () => {
    const { output, rows } = copyOut(client, `copy (${someRows}) to stdout`)
    let bytes = 0
    let most = 0
    for await (const chunk of output as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Enough for the network to bring twenty times as much as was read.
      await new Promise((go) => setImmediate(go))
      most = Math.max(most, output.readableLength + (output as PassThrough).writableLength)
    }
    expect(await rows).toBe(ROWS)
    expect(bytes).toBeGreaterThan(60_000_000)
    // The largest piece is one chunk of the network, not the table.
    expect(most).toBeLessThan(1_000_000)
  })

  it('brings back exactly what went out', async () => {
    const hash = async () => {
      const { output } = copyOut(client, 'copy (select id, line from lines order by id) to stdout')
      const digest = createHash('sha256')
      await pipeline(output, digest)
      return digest.digest('hex')
    }
    await client.query(`insert into lines ${someRows}`)
    const before = await hash()
    const kept: Buffer[] = []
    const { output } = copyOut(client, 'copy lines to stdout')
    for await (const chunk of output as AsyncIterable<Buffer>) kept.push(chunk)
    await client.query('truncate lines')
    expect(await copyIn(client, 'copy lines from stdin', Readable.from(kept))).toBe(ROWS)
    expect(await hash()).toBe(before)
  })

  it('that is refused says why, and the connection can go on', async () => {
    await expect(copyOut(client, 'copy nothing_such to stdout').rows).rejects.toThrow('does not exist')
    const badRow = Readable.from([Buffer.from('no number\tx\n')])
    await expect(copyIn(client, 'copy lines from stdin', badRow)).rejects.toThrow('invalid input syntax')
    await expect(copyIn(client, 'copy nothing_such from stdin', Readable.from([]))).rejects.toThrow(
      'does not exist',
    )
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('that nobody reads to the end leaves a connection that can go on', async () => {
    const { output } = copyOut(client, `copy (${someRows}) to stdout`)
    await new Promise((go) => output.once('readable', go))
    output.destroy()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('from a source that breaks off brings no row, and says what broke', async () => {
    await client.query('truncate lines')
    const source = Readable.from(
      (async function* breaking() {
        yield Buffer.from('1\tx\n')
        throw new Error('the disk is gone')
      })(),
    )
    await expect(copyIn(client, 'copy lines from stdin', source)).rejects.toThrow('the disk is gone')
    expect((await client.query('select from lines')).rowCount).toBe(0)
  })
})
