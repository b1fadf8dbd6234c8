/** Event streams: of one scope, for its tenant and for its administrator. */
import { servedEventKinds } from '../events.ts'
import { operation } from '../operation.ts'
import { scopeParams } from '../schemas/identity.ts'
import { streamHeaders, streamQuery } from '../schemas/streams.ts'

const description =
  'Every event of the scope in the order of its log, without gaps. A client that reconnects with Last-Event-ID ' +
  'misses no event.'

export const streamScopeEvents = operation({
  name: 'streamScopeEvents',
  method: 'GET',
  path: '/admin/scopes/{scopeId}/events',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'Follow the events of a scope',
  description,
  params: scopeParams,
  query: streamQuery,
  requestHeaders: streamHeaders,
  answers: { 200: 'event-stream' },
  problems: ['scope_not_found'],
  events: servedEventKinds,
  noStore: true,
})

export const streamOwnScopeEvents = operation({
  name: 'streamOwnScopeEvents',
  method: 'GET',
  path: '/api/scopes/{scopeId}/events',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Follow the events of one of your scopes',
  description,
  params: scopeParams,
  query: streamQuery,
  requestHeaders: streamHeaders,
  answers: { 200: 'event-stream' },
  problems: ['scope_not_found'],
  events: servedEventKinds,
  noStore: true,
})
