import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MalformedJson, parseJsonBody } from '../../src/http/json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a JSON body', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (json) => {
        fc.pre(!/__proto__|constructor|prototype/.test(json))
        expect(parse(json)).toEqual(JSON.parse(json))
      }),
      { numRuns: 500 },
    )
  })

  it('may be spread over lines, and may hold braces, colons and quotes in its strings', () => {
    const value = { 'a"b': '{"a":[', 'c\\': '\\"', d: ':', e: ['x', { 'a"b': '}' }], '': '' }
    expect(parse(JSON.stringify(value, null, '\t\r\n '))).toEqual(value)
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":}',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{',
    'NaN',
    '01',
    '"\n"',
    '\uFEFF{}',
  ])('that is none is refused: %j', (text) => {
    expect(() => parse(text)).toThrow(MalformedJson)
  })

  it('fails with nothing but the one error, whatever the bytes are', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', 'a', '1', '\\u', '"a"'), {
          maxLength: 40,
        })
        .map((parts) => Buffer.from(parts.join(''))),
    )
    fc.assert(
      fc.property(hostile, (bytes) => {
        expect(outcomeOf(Buffer.from(bytes))).toBeOneOf(['read', 'refused'])
      }),
      { numRuns: 3_000 },
    )
  })

  it('never appears in the message of its refusal', () => {
    for (const text of ['{"secret-canary', '["secret-canary"', '{"secret-canary":1,"secret-canary":2}'])
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('canary') }),
      )
  })
})

describe('a key that occurs twice', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"b":{},"a":2}',
    '{"x":[{"a":1,"a":1}]}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"\\u0061":2}',
    '{"a/b":1,"a\\/b":2}',
    '{"\\ud83d\\ude00":1,"😀":2}',
    '{"":1,"":2}',
    '{"a"  \n :1,"a":2}',
    '{"a\\"b":1,"a\\u0022b":2}',
    '{"A":1,"a":2,"\\u0041":3}',
  ])('is refused, however it is spelt: %s', (text) => {
    expect(JSON.parse(text)).toBeTypeOf('object')
    expect(() => parse(text)).toThrow(MalformedJson)
  })

  it.each([
    '{"a":1,"A":2}',
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '["a","a"]',
  ])('is not seen where there is none: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  it('is found wherever it is', () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(keys, fc.nat(), (names, pick) => {
        fc.pre(names.every((name) => !['__proto__', 'constructor', 'prototype'].includes(name)))
        const members = names.map((name) => `${JSON.stringify(name)}:0`)
        expect(Object.keys(parse(`{${members.join(',')}}`) as object)).toHaveLength(names.length)
        expect(() => parse(`{${[...members, members[pick % members.length]].join(',')}}`)).toThrow(
          MalformedJson,
        )
      }),
    )
  })
})

describe('a key that reaches for a prototype', () => {
  it.each([
    '{"__proto__":{}}',
    '{"a":{"__proto__":1}}',
    '[{"constructor":1}]',
    '{"prototype":null}',
    '{"\\u005f_proto__":{"admin":true}}',
  ])('is refused: %s', (text) => {
    expect(() => parse(text)).toThrow(MalformedJson)
  })

  it('is a string like any other when it is a value', () => {
    expect(parse('{"a":"__proto__","b":["constructor"]}')).toEqual({ a: '__proto__', b: ['constructor'] })
  })
})

describe('depth', () => {
  it('of 20 is read, of 21 is refused', () => {
    expect(parse(nested(20))).toEqual(JSON.parse(nested(20)))
    expect(() => parse(nested(21))).toThrow(/too deeply/)
    expect(() => parse(`${'{"a":'.repeat(21)}0${'}'.repeat(21)}`)).toThrow(/too deeply/)
  })

  it('does not add up across neighbours', () => {
    const wide = `[${Array.from({ length: 100 }, () => nested(19)).join(',')}]`
    expect(parse(wide)).toHaveLength(100)
  })

  it('is not counted inside strings', () => {
    expect(parse(JSON.stringify('['.repeat(1_000)))).toHaveLength(1_000)
  })
})

describe('keys', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `"${index}":0`).join()

  it('of one object or of several are counted over the whole body: 10,000 are read, one more is refused', () => {
    expect(Object.keys(parse(`{${keys(10_000)}}`) as object)).toHaveLength(10_000)
    expect(() => parse(`{${keys(10_001)}}`)).toThrow('the body has more than 10,000 keys')
    const list = (count: number) => `[${Array.from({ length: count }, () => '{"a":0}').join()}]`
    expect(parse(list(10_000))).toHaveLength(10_000)
    expect(() => parse(list(10_001))).toThrow('the body has more than 10,000 keys')
  })

  it('of 700,000 are refused in less than 100 ms', () => {
    expect(processorMsFor(`{${keys(700_000)}}`)).toBeLessThan(100)
  })
})

describe('bytes that are not UTF-8', () => {
  it.each([
    ['a stray continuation', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x22, 0x00]],
  ])('are refused: %s', (_, bytes) => {
    expect(() => parseJsonBody(Buffer.from(bytes))).toThrow(/not UTF-8/)
  })
})

describe('a hostile body of 1.2 MB', () => {
  const SIZE = 1_200_000
  const fill = (unit: string) => unit.repeat(Math.floor(SIZE / unit.length))

  it.each([
    ['opening brackets', fill('[')],
    ['opening braces with keys', fill('{"a":')],
    ['backslashes before every quote', `"${fill('\\"')}"`],
    ['one run of backslashes', `"${fill('\\\\')}"`],
    ['runs of backslashes without an end', `"${fill('\\\\\\"')}`],
    ['quotes', fill('"')],
    ['empty strings', `[${fill('"",')}""]`],
    ['spaces after every string', `[${fill(`"",${' '.repeat(40)}`)}""]`],
    ['one string and then spaces', `"a"${fill(' ')}`],
    [
      'as many keys as are read',
      `{${Array.from({ length: 10_000 }, (_, index) => `"${index}${'x'.repeat(100)}":0`).join()}}`,
    ],
    ['escaped text', `{"text":"${fill('\\u00e9')}"}`],
    ['plain text', `{"text":"${fill('x')}"}`],
  ])('takes less than 100 ms to be read or refused: %s', (_, text) => {
    expect(processorMsFor(text)).toBeLessThan(100)
  })
})

/** Any error but the one for malformed JSON is passed on. */
function outcomeOf(bytes: Buffer): 'read' | 'refused' {
  try {
    parseJsonBody(bytes)
    return 'read'
  } catch (error) {
    if (error instanceof MalformedJson) return 'refused'
    throw error
  }
}

/** Processor time rather than wall time, and the best of a few: the machine has other things to do. */
function processorMsFor(text: string): number {
  const bytes = Buffer.from(text)
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    outcomeOf(bytes)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}
