import { describe, expect, it } from 'vitest'
import { Problem, problemCodes, problems } from '@concord/contract'
import { Fault } from '../../src/domain/fault.ts'
import { MalformedJson } from '../../src/http/json-body.ts'
import { problemDocument, toFault } from '../../src/http/problems.ts'

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })

describe('a problem document', () => {
  it.each(problemCodes)('of %s follows its schema, and its type leads to an explanation', (code) => {
    const document = problemDocument(code, { publicUrl: 'https://concord.example', requestId: 'r-1' })
    expect(Problem.parse(document)).toEqual(document)
    expect(document).toMatchObject({
      type: `https://concord.example/problems/${code}`,
      status: problems[code].status,
      instance: 'urn:concord:request:r-1',
      request_id: 'r-1',
    })
  })

  it('carries the faulty fields where there are some, and no empty list where there are none', () => {
    const place = { publicUrl: '', requestId: 'r' }
    const fields = [{ pointer: '#/a', code: 'required', message: 'Send it.' }]
    expect(problemDocument('validation_failed', place, fields).errors).toEqual(fields)
    expect(problemDocument('not_found', place)).not.toHaveProperty('errors')
  })
})

describe('toFault', () => {
  it('passes a fault on as it is', () => {
    const fault = new Fault('scope_exists')
    expect(toFault(fault)).toBe(fault)
  })

  it.each([
    ['a body that is no JSON', new MalformedJson('x'), 'malformed_json'],
    ['a body that is too large', coded('FST_ERR_CTP_BODY_TOO_LARGE'), 'payload_too_large'],
    ['a body of another type', coded('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 'unsupported_media_type'],
    ['a body shorter than announced', coded('FST_ERR_CTP_INVALID_CONTENT_LENGTH'), 'malformed_request'],
    ['a path that cannot be decoded', coded('FST_ERR_BAD_URL'), 'malformed_request'],
    ['a database that is away', coded('ECONNREFUSED'), 'unavailable'],
    ['a database that is shutting down', coded('57P01'), 'unavailable'],
    ['a database whose connection was reset', coded('ECONNRESET', 'read ECONNRESET'), 'unavailable'],
    ['a statement that is wrong', coded('42601'), 'internal_error'],
    ['an error of ours', new TypeError('x is not a function'), 'internal_error'],
    ['something that is no error at all', 'a string', 'internal_error'],
  ])('tells %s by its code', (_, thrown, code) => {
    expect(toFault(thrown).code).toBe(code)
  })

  it('keeps what happened for the log', () => {
    const cause = new TypeError('x is not a function')
    expect(toFault(cause).cause).toBe(cause)
  })
})
