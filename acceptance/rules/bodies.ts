/** Bodies: one JSON object in UTF-8, within its limit, unambiguous, and exactly what the schema names. */
import { defaultBodyLimit } from '@concord/contract'
import { describe, it } from 'vitest'
import type { SubjectCall, GoodCall, Subject } from '../subject.ts'
import { withHeaders, withoutHeaders } from '../subject.ts'
import { malformedBodies, nestedArrays } from './malformed-bodies.ts'

export function describeBodies(subject: Subject, good: GoodCall): void {
  describeMalformed(subject, good)
  describeWrongType(subject, good)
  describeTooLarge(subject, good)
  describeUnknown(subject, good)
  describeStrangers(subject, good)
  if (subject.operation.body) describeReadable(subject, good)
}

const json = { 'content-type': 'application/json' }

/** The call with these bytes instead of its body. */
function sending(
  call: SubjectCall,
  bytes: string | Buffer,
  headers: Record<string, string> = json,
): SubjectCall {
  return { ...withHeaders(call, headers), bytes }
}

/** Where no body is wanted at all, the whole of it is the fault. */
function pointersOf({ operation }: Subject, ...properties: readonly string[]): readonly string[] {
  return operation.body ? properties.map((property) => `#/${property}`) : ['#']
}

function describeMalformed(subject: Subject, good: GoodCall): void {
  describe(`${subject.operation.name}: 400 for a body that is no clear JSON`, () => {
    it.each(malformedBodies)('refuses %s', async (_, bytes) => {
      subject.expectProblem(await subject.call(sending(await good(), bytes)), 'malformed_json')
    })

    it('reads 20 levels, and then goes by the schema', async () => {
      const call = await good()
      const body = { ...(call.body as object), deep: JSON.parse(nestedArrays(19)) as unknown }
      const reply = await subject.call({ ...call, body })
      subject.expectProblem(reply, 'validation_failed', { pointers: pointersOf(subject, 'deep') })
    })
  })
}

function describeWrongType(subject: Subject, good: GoodCall): void {
  const types = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonp',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
  ]
  describe(`${subject.operation.name}: 415`, () => {
    it.each(types)('refuses %s', async (type) => {
      const call = sending(await good(), '{}', { 'content-type': type })
      subject.expectProblem(await subject.call(call), 'unsupported_media_type')
    })

    it('refuses a body without a Content-Type', async () => {
      subject.expectProblem(await subject.call(sending(await good(), '{}', {})), 'unsupported_media_type')
    })

    it.each(['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'identity, gzip'])(
      'refuses the encoding %s',
      async (encoding) => {
        const call = sending(await good(), '{}', { ...json, 'content-encoding': encoding })
        subject.expectProblem(await subject.call(call), 'unsupported_media_type')
      },
    )
  })
}

function describeTooLarge(subject: Subject, good: GoodCall): void {
  const { name, bodyLimit = defaultBodyLimit } = subject.operation
  describe(`${name}: 413`, () => {
    it.each([
      ['announced', false],
      ['not announced', true],
    ])('refuses one byte more than its limit when the length is %s', async (_, chunked) => {
      const call = sending(await good(), '{}'.padEnd(bodyLimit + 1))
      subject.expectProblem(await subject.call({ ...call, chunked }), 'payload_too_large')
    })
  })
}

function describeUnknown(subject: Subject, good: GoodCall): void {
  describe(`${subject.operation.name}: 422 for what the schema does not name`, () => {
    it.each(['null', '[]', '[{}]', '"text"', '1', 'true'])(
      'refuses %s instead of an object',
      async (bytes) => {
        const reply = await subject.call(sending(await good(), bytes))
        subject.expectProblem(reply, 'validation_failed', { pointers: ['#'] })
      },
    )

    it.each(['surprise', 'tenant_id', 'epoch', 'toString', 'Name'])(
      'refuses the property %s',
      async (property) => {
        const call = await good()
        const reply = await subject.call({ ...call, body: { ...(call.body as object), [property]: 'x' } })
        subject.expectProblem(reply, 'validation_failed', { pointers: pointersOf(subject, property) })
      },
    )

    it('names each of several, escaped as JSON Pointer wants', async () => {
      const call = await good()
      const reply = await subject.call({ ...call, body: { ...(call.body as object), 'a/b~c': 1, 'ü 1': 2 } })
      subject.expectProblem(reply, 'validation_failed', { pointers: pointersOf(subject, 'a~1b~0c', 'ü 1') })
    })
  })
}

/** The key comes first: whoever has none learns nothing of the body's faults, and cannot make the service read it. */
function describeStrangers(subject: Subject, good: GoodCall): void {
  describe(`${subject.operation.name}: the key is asked for before the body is read`, () => {
    it.each([
      ['malformed', '{'],
      ['too large', '{}'.padEnd(defaultBodyLimit + 1)],
      ['against the schema', '[]'],
    ])('answers 401 to a stranger whose body is %s', async (_, bytes) => {
      const call = withoutHeaders(await good(), 'authorization', 'x-tenant-api-key')
      subject.expectProblem(await subject.call(sending(call, bytes)), 'credential_missing')
    })
  })
}

function describeReadable(subject: Subject, good: GoodCall): void {
  const { name, bodyLimit = defaultBodyLimit } = subject.operation
  const expectSuccess = async (call: SubjectCall) => subject.expectLetIn(await subject.call(call))
  describe(`${name}: what may be sent`, () => {
    it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
      'reads %s',
      async (type) => {
        const call = await good()
        await expectSuccess(sending(call, JSON.stringify(call.body), { 'content-type': type }))
      },
    )

    it.each([
      ['announced', false],
      ['not announced', true],
    ])('reads as much as its limit when the length is %s', async (_, chunked) => {
      const call = await good()
      await expectSuccess({ ...sending(call, JSON.stringify(call.body).padEnd(bodyLimit)), chunked })
    })
  })
}
