/** A collector of traces, as far as a sender can tell: takes OTLP over HTTP in JSON, and keeps the spans. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  /** `concord-api`, `concord-worker` … */
  readonly service: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly startMs: number
  readonly endMs: number
}

export interface Collector {
  readonly endpoint: string
  readonly spans: readonly CollectedSpan[]
  /** Every byte that was sent here. */
  text(): string
  close(): Promise<void>
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

/** `status` is what it answers with. */
export async function startCollector(status = 200): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const isTraces = request.url === '/v1/traces'
    bodies.push(body)
    if (isTraces && status === 200) spans.push(...spansIn(JSON.parse(body) as Sent))
    response.writeHead(isTraces ? status : 404, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => {
    void take(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the collector has no port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    spans,
    text: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function spansIn({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(toRecord(resource.attributes)['service.name'])
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => toSpan(service, span)))
  })
}

function toSpan(service: string, span: SentSpan): CollectedSpan {
  return {
    service,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || undefined,
    name: span.name,
    kind: span.kind,
    attributes: toRecord(span.attributes),
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
  }
}

function toRecord(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )
}
