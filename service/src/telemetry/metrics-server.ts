/**
 * Serves the metrics of a process to Prometheus, at an address of their own. They are never on the public listener,
 * because they would show strangers how busy the service is.
 */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Meter, Observable } from '@opentelemetry/api'
import type { Metric, HistogramMetric, NumberMetric } from '../platform/metrics.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { produceHistograms } from './histograms.ts'

export interface MetricsOptions {
  readonly host: string
  readonly port: number
  /** The name of the process, a label of every metric. */
  readonly process: string
  readonly version: string
  readonly log: Log
}

export interface Metrics extends Part {
  /** Adds metrics. Metrics of the same name are merged, with the samples of each. */
  add(metrics: readonly Metric[]): void
  /** The address once started; undefined if no port was free. */
  address(): string | undefined
}

/** Several processes of a host share their environment, so each takes the first free port. */
const PORTS = 64

export function createMetrics({ host, port, process, version, log }: MetricsOptions): Metrics {
  const histograms: HistogramMetric[] = []
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [produceHistograms(histograms)],
    withoutScopeInfo: true,
    withResourceConstantLabels: /^process$/,
  })
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'concord', 'service.version': version, process }),
    readers: [exporter],
  })
  const addNumber = createNumbers(provider.getMeter('concord'))
  let server: Server | undefined
  let address: string | undefined
  return {
    name: 'metrics',
    add(metrics) {
      for (const metric of metrics) {
        if (metric.kind === 'histogram') histograms.push(metric)
        else addNumber(metric)
      }
    },
    address: () => address,
    async start() {
      server = createServer((request, response) => {
        if (request.url?.split('?', 1)[0] === '/metrics' && request.method === 'GET')
          return exporter.getMetricsRequestHandler(request, response)
        response.statusCode = 404
        response.end()
      }).unref()
      const taken = await listenOnFirstFree(server, host, port)
      // The process continues without metrics rather than not starting at all.
      if (taken === undefined)
        return log.error({ host, port, ports: PORTS }, 'no port is free, so no metrics are served')
      address = `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`
      log.info({ address }, 'metrics ready')
    },
    async stop() {
      server?.close()
      server?.closeAllConnections()
      await provider.shutdown()
    },
  }
}

/** The library reads the numbers at a scrape, and only then. */
function createNumbers(meter: Meter): (metric: NumberMetric) => void {
  const known = new Map<string, Observable>()
  return ({ kind, name, help, read }) => {
    const make = kind === 'counter' ? 'createObservableCounter' : 'createObservableGauge'
    const instrument = known.get(name) ?? meter[make](name, { description: help })
    known.set(name, instrument)
    instrument.addCallback(async (result) => {
      for (const { value, labels = {} } of await read()) result.observe(value, labels)
    })
  }
}

async function listenOnFirstFree(server: Server, host: string, first: number): Promise<number | undefined> {
  const last = Math.min(65_535, first + PORTS - 1)
  for (let port = first; port <= last; port += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one port at a time, up to the first free one
    if (await listens(server, host, port)) return port
  }
  return undefined
}

function listens(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    server.once('error', refused)
    server.listen({ host, port }, () => {
      server.off('error', refused)
      resolve(true)
    })
  })
}
