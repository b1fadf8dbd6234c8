/** The figures and traces of a process: figures at an address of their own, and traces to a collector. Both off unless asked for. */
import type { Broker } from '../engine/broker.ts'
import type { Config } from '../platform/config.ts'
import type { Figure } from '../platform/figures.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Tracing } from '../platform/tracing.ts'
import { createProcessFigures } from '../telemetry/figures/process.ts'
import { version } from './version.ts'

export type TelemetryConfig = Pick<
  Config,
  'METRICS_HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'TRACES_PER_SECOND'
>

export interface Telemetry {
  /** To be started first, so that they are stopped last. */
  readonly parts: readonly Part[]
  readonly showsFigures: boolean
  /** Shown from now on, if this process shows figures at all. */
  add(figures: readonly Figure[]): void
  /** Undefined where nothing is followed. */
  readonly tracing: Tracing | undefined
}

/** The libraries are loaded only where they are used: they take a tenth of a second and some megabytes. */
export async function openTelemetry(config: TelemetryConfig, process: string, log: Log): Promise<Telemetry> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  const common = { process, version, log }
  const metrics =
    port === undefined
      ? undefined
      : (await import('../telemetry/metrics.ts')).createMetrics({ ...common, host, port })
  const tracing =
    endpoint === undefined
      ? undefined
      : (await import('../telemetry/tracing.ts')).createTracing({
          ...common,
          endpoint,
          perSecond: config.TRACES_PER_SECOND,
        })
  const own = createProcessFigures()
  metrics?.add([...own.figures, ...(tracing?.figures ?? [])])
  return {
    parts: [...(metrics ? [metrics, own] : []), ...(tracing ? [tracing] : [])],
    showsFigures: metrics !== undefined,
    add: (figures) => metrics?.add(figures),
    tracing,
  }
}

export interface CountedHeartbeats {
  /** To be used in the place of the broker. */
  readonly broker: Pick<Broker, 'announce'>
  readonly figure: Figure
}

/** One that is said while the broker is away reaches nobody, and does not count. */
export function countHeartbeats(broker: Broker, role: string): CountedHeartbeats {
  let sent = 0
  return {
    broker: {
      announce(subject, payload) {
        if (broker.isConnected()) sent += 1
        broker.announce(subject, payload)
      },
    },
    figure: {
      kind: 'counter',
      name: 'concord_heartbeats_sent',
      help: 'Heartbeats that were handed to the broker, one a second.',
      read: () => [{ value: sent, labels: { role } }],
    },
  }
}
