/** Reports every response to the metrics, and traces requests that are sampled. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tracing } from '../platform/tracing.ts'
import type { Route } from './route.ts'

export interface RequestWatch {
  /** `operation` is undefined for unknown paths. `ms` is undefined for streams, which last as long as the client stays. */
  answered(operation: string | undefined, status: number, ms: number | undefined): void
  readonly tracing: Tracing | undefined
}

/** The hooks use callbacks, because they run for every request and a promise would double their cost. */
export function watchRequests(
  server: FastifyInstance,
  { answered, tracing }: RequestWatch,
  routes: readonly Route[],
): void {
  const streams = new Set(routes.filter(isStream).map(({ operation }) => operation.name))
  const staysOpen = ({ operationName }: FastifyRequest) =>
    operationName !== undefined && streams.has(operationName)

  if (tracing)
    // Traced only after authentication, so that anonymous requests cannot cause traces.
    server.addHook('preHandler', (request, reply, done) => {
      const { caller, operationName, headers } = request
      if (caller && operationName && !staysOpen(request)) {
        const startMs = performance.now() - reply.elapsedTime
        const trace = tracing.begin(operationName, traceparentOf(headers), startMs)
        if (trace) request.caller = { ...caller, trace }
      }
      done()
    })
  server.addHook('onResponse', (request, reply, done) => {
    const { operationName, caller, method, id } = request
    answered(operationName, reply.statusCode, staysOpen(request) ? undefined : reply.elapsedTime)
    caller?.trace?.end(performance.now(), {
      'http.request.method': method,
      'http.response.status_code': reply.statusCode,
      'concord.request_id': id,
    })
    done()
  })
}

function isStream({ operation }: Route): boolean {
  return Object.values(operation.answers).includes('event-stream')
}

function traceparentOf({ traceparent }: FastifyRequest['headers']): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined
}
