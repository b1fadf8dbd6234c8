/**
 * The metrics and traces of a process. Metrics have a port of their own, and traces go to a collector. Both are off by
 * default.
 */
import type { Broker } from '../engine/broker.ts'
import type { Config } from '../platform/config.ts'
import type { Metric } from '../platform/metrics.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Tracing } from '../platform/tracing.ts'
import { createProcessMetrics } from '../telemetry/metrics/process.ts'
import { version } from './version.ts'

export type TelemetryConfig = Pick<
  Config,
  'METRICS_HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'TRACES_PER_SECOND'
>

export interface Telemetry {
  /** Start them first, so that they stop last. */
  readonly parts: readonly Part[]
  readonly servesMetrics: boolean
  /** Adds metrics, if this process serves any. */
  add(metrics: readonly Metric[]): void
  /** Undefined if traces are off. */
  readonly tracing: Tracing | undefined
}

/** Loads the libraries only if they are used: they take 100 ms and some megabytes. */
export async function openTelemetry(config: TelemetryConfig, process: string, log: Log): Promise<Telemetry> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  const common = { process, version, log }
  const metrics =
    port === undefined
      ? undefined
      : (await import('../telemetry/metrics-server.ts')).createMetrics({ ...common, host, port })
  const tracing =
    endpoint === undefined
      ? undefined
      : (await import('../telemetry/tracing.ts')).createTracing({
          ...common,
          endpoint,
          perSecond: config.TRACES_PER_SECOND,
        })
  const own = createProcessMetrics()
  metrics?.add([...own.metrics, ...(tracing?.metrics ?? [])])
  return {
    parts: [...(metrics ? [metrics, own] : []), ...(tracing ? [tracing] : [])],
    servesMetrics: metrics !== undefined,
    add: (added) => metrics?.add(added),
    tracing,
  }
}

export interface CountedHeartbeats {
  /** Use it instead of the broker. */
  readonly broker: Pick<Broker, 'announce'>
  readonly metric: Metric
}

/** Counts the heartbeats that were sent. A heartbeat while the broker is away is lost and does not count. */
export function countHeartbeats(broker: Broker, role: string): CountedHeartbeats {
  let sent = 0
  return {
    broker: {
      announce(subject, payload) {
        if (broker.isConnected()) sent += 1
        broker.announce(subject, payload)
      },
    },
    metric: {
      kind: 'counter',
      name: 'concord_heartbeats_sent',
      help: 'Heartbeats that were handed to the broker, one a second.',
      read: () => [{ value: sent, labels: { role } }],
    },
  }
}
