import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from './lock.ts'
import { processBirth } from './processes.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'concord-lock-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function leaveLock(pid: number, birth: string | undefined): void {
  writeFileSync(join(dir, 'lock'), JSON.stringify({ pid, birth, token: 'left' }))
}

describe('the lock of a directory', () => {
  it('lets one piece of work in at a time, also when all of them first find a dead lock', async () => {
    leaveLock(process.pid, 'an earlier life of this pid')
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
      inside--
    }
    await Promise.all(Array.from({ length: 20 }, () => withLock(dir, work)))
    expect(most).toBe(1)
    expect(readdirSync(dir)).toEqual([])
  })

  it('is taken from a holder that has died', async () => {
    const holder = spawn('sleep', ['60'])
    const { pid = 0 } = holder
    leaveLock(pid, processBirth(pid))
    const died = once(holder, 'exit')
    holder.kill('SIGKILL')
    await died
    await expect(withLock(dir, async () => 'done')).resolves.toBe('done')
  })

  it('is not taken from a living holder, and the refusal says what to do', async () => {
    leaveLock(process.pid, processBirth(process.pid))
    await expect(withLock(dir, async () => 'done', 100)).rejects.toThrow(/pid \d+\) holds .*Wait for it/)
    expect(existsSync(join(dir, 'lock'))).toBe(true)
  })

  it('is given back when the work fails', async () => {
    await expect(withLock(dir, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(readdirSync(dir)).toEqual([])
  })
})
