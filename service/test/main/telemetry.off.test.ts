/** Nothing of it is there unless it is asked for. Alone in its file, because a library that was loaded stays loaded. */
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { openTelemetry } from '../../src/main/telemetry.ts'
import { numberMetric } from '../../src/platform/metrics.ts'
import { silentLog } from '../support/log.ts'

const OFF = {
  METRICS_HOST: '127.0.0.1',
  METRICS_PORT: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  TRACES_PER_SECOND: 20,
}

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('@opentelemetry'))

describe('a process that shows nothing', () => {
  it('has no part for it, follows nothing, and has not even loaded the libraries', async () => {
    const telemetry = await openTelemetry(OFF, 'test', silentLog)
    telemetry.add([numberMetric('gauge', 'test_any', 'Any.', () => 1)])
    expect(telemetry.parts).toEqual([])
    expect(telemetry.tracing).toBeUndefined()
    expect(telemetry.servesMetrics).toBe(false)
    expect(loaded()).toEqual([])
  })
})

describe('a process that is asked to', () => {
  it('shows its figures', async () => {
    const telemetry = await openTelemetry({ ...OFF, METRICS_PORT: await freePort() }, 'test', silentLog)
    telemetry.add([numberMetric('gauge', 'test_any', 'Any.', () => 1)])
    for (const part of telemetry.parts) await part.start()
    expect(loaded().length).toBeGreaterThan(0)
    const address = telemetry.parts.flatMap((part) => ('address' in part ? [part.address] : []))
    expect(address).toHaveLength(1)
    expect(telemetry.tracing).toBeUndefined()
    for (const part of telemetry.parts.toReversed()) await part.stop()
  })
})
