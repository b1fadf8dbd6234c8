/**
 * The figures of a process at an address of their own, in the form that Prometheus reads. Never on the public listener:
 * they would tell strangers how busy everybody is.
 */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Meter, Observable } from '@opentelemetry/api'
import type { Figure, HistogramFigure, NumberFigure } from '../platform/figures.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { produceHistograms } from './histograms.ts'

export interface MetricsOptions {
  readonly host: string
  readonly port: number
  /** Which process this is, as a label of every figure. */
  readonly process: string
  readonly version: string
  readonly log: Log
}

export interface Metrics extends Part {
  /** Figures of the same name add up to one, with the samples of each. */
  add(figures: readonly Figure[]): void
  /** Where they are, once started; undefined if no port was free. */
  address(): string | undefined
}

/** Several processes of one host have the same environment, and each takes the first port that is free. */
const PORTS = 64

export function createMetrics({ host, port, process, version, log }: MetricsOptions): Metrics {
  const histograms: HistogramFigure[] = []
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
    add(figures) {
      for (const figure of figures) {
        if (figure.kind === 'histogram') histograms.push(figure)
        else addNumber(figure)
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
      // Work goes on: a process that could not be looked at is better than none.
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

/** Read by the library when somebody asks, and only then. */
function createNumbers(meter: Meter): (figure: NumberFigure) => void {
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
    // oxlint-disable-next-line no-await-in-loop -- one after the other, up to the first that is free
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
