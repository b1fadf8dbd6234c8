/** The supervisor of the fleet: what is killed comes back, and what ends by itself is told of. */
import { startChild, waitUntil } from '@concord/tools/launch'
import type { ChildExit } from '@concord/tools/launch'
import { afterEach, describe, expect, test } from 'vitest'
import { createMember } from '../harness/member.ts'
import type { Member } from '../harness/member.ts'
import { childrenOf, isAlive } from '../harness/offspring.ts'

const members: Member[] = []
const unasked: ChildExit[] = []

function enlist(script: string, onFailedStart: () => void = () => undefined, start = run): Member {
  const member = createMember({
    role: 'worker',
    name: 'worker 1',
    start: () => start(script),
    onChange: () => undefined,
    onUnasked: (exit) => void unasked.push(exit),
    onFailedStart,
  })
  members.push(member)
  return member
}

async function run(script: string) {
  return startChild({ command: process.execPath, args: ['-e', script], env: {} })
}

const there = (member: Member) => waitUntil(() => member.process(), { what: 'a process being there' })

afterEach(async () => {
  for (const member of members.splice(0)) await member.retire()
  unasked.length = 0
})

describe('a member of the fleet', () => {
  test('comes back as another process after it was killed, and that is no fault', async () => {
    const member = enlist('setInterval(() => {}, 1000)')
    const { pid } = await there(member)
    expect(await member.kill()).toBe(true)
    expect((await there(member)).pid).not.toBe(pid)
    expect(unasked).toEqual([])
  })

  test('that ends by itself is told of, and comes back too', async () => {
    const member = enlist('setTimeout(() => process.exit(3), 50)')
    await waitUntil(() => unasked.length >= 2, { what: 'two ends' })
    expect(unasked[0]).toEqual({ code: 3, signal: null })
    expect(member.role).toBe('worker')
  })

  test('that cannot be started is tried again', async () => {
    let tries = 0
    const failed: number[] = []
    const start = async (script: string) => {
      if (tries++ < 2) throw new Error('the database is away')
      return run(script)
    }
    const member = enlist('setInterval(() => {}, 1000)', () => void failed.push(tries), start)
    await there(member)
    expect(failed).toHaveLength(2)
  })

  test('is gone for good once it is retired', async () => {
    const member = enlist('setInterval(() => {}, 1000)')
    await there(member)
    await member.retire()
    expect(member.process()).toBeUndefined()
    expect(await member.kill()).toBe(false)
  })
})

describe('the children of a process', () => {
  test('are found, and known to be gone', async () => {
    // It listens before the child is there: a signal that nobody listens to would end it.
    const script = `let c; process.on('SIGUSR2', () => c.kill('SIGKILL')); setInterval(() => {}, 1000)
      c = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])`
    const member = enlist(script)
    const parent = await there(member)
    const [child] = await waitUntil(() => childrenOf(parent.pid).length > 0 && childrenOf(parent.pid), {
      what: 'a child',
    })
    if (!child) throw new Error('there is a child')
    expect(isAlive(child)).toBe(true)
    parent.signal('SIGUSR2')
    await waitUntil(() => !isAlive(child), { what: 'the child being gone' })
  })
})
