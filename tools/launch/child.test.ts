import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isAlive } from './alive.ts'

const LAUNCH = new URL('child.ts', import.meta.url).href

test.each(['throw new Error("a fault")', 'process.exit(3)'])(
  'what was started ends with whoever started it: %s',
  async (end) => {
    const script = `
      const { startChild } = await import(${JSON.stringify(LAUNCH)})
      const args = ['-e', 'setTimeout(() => {}, 60_000)']
      console.log(startChild({ command: process.execPath, args, env: {} }).pid)
      ${end}`
    const pid = await new Promise<number>((resolve) => {
      execFile(process.execPath, ['--input-type=module', '-e', script], (_, stdout) =>
        resolve(Number(stdout)),
      )
    })
    expect(pid).toBeGreaterThan(0)
    for (let look = 0; look < 50 && isAlive(pid); look += 1) await delay(20)
    expect(isAlive(pid)).toBe(false)
  },
)
