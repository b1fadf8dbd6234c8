import { afterEach, describe, expect, it, vi } from 'vitest'
import { createInsecureWarning } from '../../src/main/insecure-warning.ts'
import { testConfig } from '../support/config.ts'
import { useDatabase } from '../support/database.ts'
import { createMemoryLog } from '../support/log.ts'

const database = useDatabase()

afterEach(() => {
  vi.useRealTimers()
})

async function warningsAfter(minutes: number, AUTH_MODE: string): Promise<number> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { log, lines } = createMemoryLog()
  const warning = createInsecureWarning(testConfig(database(), { AUTH_MODE }), log)
  await warning.start()
  vi.advanceTimersByTime(minutes * 60_000)
  await warning.stop()
  vi.advanceTimersByTime(600_000)
  return lines().filter(({ level }) => level === 'warn').length
}

describe('the warning about the bare tenant id', () => {
  it('is logged at the start and once a minute, until it is stopped', async () => {
    expect(await warningsAfter(0, 'insecure-tenant-id')).toBe(1)
    expect(await warningsAfter(3, 'insecure-tenant-id')).toBe(4)
  })

  it.each(['key', 'trusted-gateway'])('does not come with AUTH_MODE %s', async (mode) => {
    expect(await warningsAfter(3, mode)).toBe(0)
  })
})
