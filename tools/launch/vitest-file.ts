/** Runs before each test file of a worker that runs several: what one file set must not reach the next. */
import { afterAll, vi } from 'vitest'

afterAll(() => {
  vi.resetConfig()
  vi.useRealTimers()
})
