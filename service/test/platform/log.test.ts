import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { createMemoryLog } from '../support/log.ts'

const canary = 'ck_t_canarycana_0000000000000000000000000000000000000000000000000'

describe('the log', () => {
  it('writes one JSON object a line, with level, instant and process in words', () => {
    const { log, text, lines } = createMemoryLog()
    log.warn({ part: 'broker' }, 'two\nlines')
    expect(text().trimEnd().split('\n')).toHaveLength(1)
    expect(lines()[0]).toMatchObject({ level: 'warn', process: 'test', part: 'broker', msg: 'two\nlines' })
    expect(lines()[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it.each([
    ['a credential', { authorization: `Bearer ${canary}` }],
    ['a nested credential', { sent: { authorization: canary } }],
    ['the headers of a request', { headers: { authorization: canary, 'x-tenant-api-key': canary } }],
    ['the signature of a gateway', { headers: { 'x-gateway-signature': canary } }],
    ['a request', { req: { headers: { authorization: canary, 'x-tenant-api-key': canary } } }],
    ['a signed request', { req: { headers: { 'x-gateway-signature': canary } } }],
    ['an issued key', { api_key: canary }],
    ['an answer that holds a key', { answer: { api_key: canary } }],
    ['a body', { body: { text: canary } }],
    ['the body of a request', { req: { body: { text: canary } } }],
    ['a text', { text: canary }],
    ['a document', { document: { document_id: 'd', text: canary } }],
  ])('redacts %s', (_, entry) => {
    const { log, text } = createMemoryLog()
    log.info(entry, 'something happened')
    expect(text()).not.toContain(canary)
    expect(text()).toContain('[redacted]')
  })

  it('redacts in child logs as well', () => {
    const { log, text } = createMemoryLog()
    log.child({ request_id: 'r' }).info({ headers: { authorization: canary } }, 'x')
    expect(text()).not.toContain(canary)
  })

  it('leaves ids, counts and kinds readable', () => {
    const { log, lines } = createMemoryLog()
    log.info({ actor: 'ck_t_0123456789', status: 200, code: 'not_found' }, 'request')
    expect(lines()[0]).toMatchObject({ actor: 'ck_t_0123456789', status: 200, code: 'not_found' })
  })

  it('says nothing below its level', () => {
    const { log, text } = createMemoryLog('warn')
    log.info('quiet')
    expect(text()).toBe('')
    expect(createLog('silent', 'test').isLevelEnabled('fatal')).toBe(false)
  })
})
