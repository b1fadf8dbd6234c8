import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  ConfigFault,
  parseConfig,
  parseKernelConfig,
  parseOwnerUrl,
  parseWholeConfig,
} from '../../src/platform/config.ts'
import type { Environment } from '../../src/platform/config.ts'

const secret = (length = 32) => randomBytes(length).toString('base64')

const complete = {
  DATABASE_URL: 'postgres://concord_api@127.0.0.1/concord',
  NATS_URL: 'nats://127.0.0.1:4222',
  MASTER_KEY: `mk1:${secret()}`,
  KEY_PEPPER: secret(),
}

const kernel = {
  WORKER_DATABASE_URL: 'postgres://concord_worker@127.0.0.1/concord',
  NATS_URL: 'nats://127.0.0.1:4222',
  MASTER_KEY: `mk1:${secret()}`,
}

function faultsOf(
  environment: Environment,
  parse: (environment: Environment) => unknown = parseConfig,
): readonly string[] {
  try {
    parse(environment)
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults
    throw error
  }
  return []
}

describe('a complete environment', () => {
  it('needs four variables; everything else has a safe default', () => {
    expect(parseConfig(complete)).toMatchObject({
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: 8080,
      AUTH_MODE: 'key',
      LOG_LEVEL: 'info',
      SUBJECT_PREFIX: 'concord',
    })
  })

  it('becomes a value that nobody can change', () => {
    const config = parseConfig(complete)
    expect(() => Object.assign(config, { AUTH_MODE: 'insecure-tenant-id' })).toThrow(TypeError)
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('reads an empty variable as one that is not set', () => {
    expect(parseConfig({ ...complete, PORT: '', AUTH_MODE: '' })).toMatchObject({
      PORT: 8080,
      AUTH_MODE: 'key',
    })
  })

  it('holds several master keys in their order, the first of which seals', () => {
    const { MASTER_KEY } = parseConfig({ ...complete, MASTER_KEY: `new:${secret()}, old:${secret()}` })
    expect(MASTER_KEY.map((key) => [key?.id, key?.bytes.length])).toEqual([
      ['new', 32],
      ['old', 32],
    ])
  })
})

describe('a list of secrets', () => {
  it('holds peppers and gateway secrets in their order, the first of which makes what is new', () => {
    const [old, young] = [secret(), secret()]
    const both = `${young}, ${old}`
    const config = parseConfig({ ...complete, KEY_PEPPER: both, FINGERPRINT_KEY: old, GATEWAY_SECRET: both })
    const expected = [young, old].map((each) => Buffer.from(each, 'base64'))
    expect([config.KEY_PEPPER, config.GATEWAY_SECRET]).toEqual([expected, expected])
    expect(config.FINGERPRINT_KEY).toEqual(expected[1])
  })

  it('of peppers is refused without the key of fingerprints, which must not change with the first', () => {
    const [fault = '', ...others] = faultsOf({ ...complete, KEY_PEPPER: `${secret()},${secret()}` })
    expect(fault).toMatch(/^FINGERPRINT_KEY is required when KEY_PEPPER lists several; set it to the pepper/)
    expect(others).toEqual([])
  })
})

describe('a faulty environment', () => {
  it('is refused with all its faults at once', () => {
    const faults = faultsOf({
      DATABASE_URL: 'mysql://x',
      PORT: '70000',
      AUTH_MODE: 'none',
      LOG_LEVEL: 'loud',
    })
    const named = ['DATABASE_URL', 'PORT', 'AUTH_MODE', 'LOG_LEVEL', 'NATS_URL', 'MASTER_KEY', 'KEY_PEPPER']
    expect(faults.map((fault) => String(fault.split(' ')[0])).toSorted()).toEqual(named.toSorted())
  })

  it('is refused with unsafe combinations beside the other faults', () => {
    const { KEY_PEPPER: _left, ...rest } = complete
    const faults = faultsOf({ ...rest, AUTH_MODE: 'insecure-tenant-id', HOST: '0.0.0.0' })
    expect(faults).toContainEqual(expect.stringContaining('KEY_PEPPER'))
    expect(faults).toContainEqual(expect.stringContaining('loopback'))
  })

  it('says in its message every fault on a line of its own', () => {
    const parse = () => parseConfig({ ...complete, PORT: 'x', DRAIN_SECONDS: '-1' })
    expect(parse).toThrow(/2 fault\(s\):\n {2}- PORT .*\n {2}- DRAIN_SECONDS /)
  })

  it.each([
    ['a port above the last', { PORT: '65536' }, 'whole number from 0 to 65535'],
    ['half a port', { PORT: '80.5' }, 'whole number from 0 to 65535'],
    ['a pool without connections', { DATABASE_POOL_SIZE: '0' }, 'whole number from 1 to 200'],
    ['a bare database name', { DATABASE_URL: 'concord' }, 'postgres://'],
    ['a broker spoken to by HTTP', { NATS_URL: 'http://127.0.0.1' }, 'nats://'],
    ['a public address that is no web address', { PUBLIC_URL: 'ftp://example.org' }, 'http://'],
    ['an origin with a path', { CORS_ORIGINS: 'https://app.example.com/' }, 'origins without a path'],
    [
      'an origin without a protocol',
      { CORS_ORIGINS: 'https://a.example, b.example' },
      'origins without a path',
    ],
    ['half a switch', { SCOPE_AUTO_CREATE: 'yes' }, 'true or false'],
    ['a port for metrics that nobody could know', { METRICS_PORT: '0' }, 'whole number from 1 to 65535'],
    ['a collector that is no web address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'http://'],
    ['a subject prefix with a wildcard', { SUBJECT_PREFIX: 'concord.>' }, 'lower-case words'],
    ['a pepper one byte short', { KEY_PEPPER: secret(31) }, 'openssl rand -base64 32'],
    ['a gateway secret one byte long', { GATEWAY_SECRET: secret(33) }, 'openssl rand -base64 32'],
    ['a master key without an id', { MASTER_KEY: secret() }, 'ID:BASE64'],
    ['a second master key that is short', { MASTER_KEY: `mk1:${secret()},mk2:short` }, 'ID:BASE64'],
  ])('with %s is refused and told what to set', (_, change, advice) => {
    const [fault = '', ...others] = faultsOf({ ...complete, ...change })
    expect(fault).toMatch(new RegExp(`^${Object.keys(change)[0]} must be `))
    expect(fault).toContain(advice)
    expect(others).toEqual([])
  })

  it('never repeats the value of a secret', () => {
    const leak = 'correct-horse-battery-staple'
    const faults = faultsOf({
      ...complete,
      MASTER_KEY: leak,
      KEY_PEPPER: leak,
      DATABASE_URL: `x://u:${leak}@h`,
    })
    expect(faults).toHaveLength(3)
    expect(faults.join()).not.toContain(leak)
  })

  it('names the misspelt variable behind a missing one', () => {
    const { KEY_PEPPER, ...rest } = complete
    expect(faultsOf({ ...rest, KEY_PEPER: KEY_PEPPER })).toEqual([
      expect.stringMatching(/^KEY_PEPPER is not set; did you mean it by KEY_PEPER\?$/),
    ])
  })

  it('names a misspelt optional variable too, instead of silently using the default', () => {
    expect(faultsOf({ ...complete, DATABASE_POOLSIZE: '50' })).toEqual([
      expect.stringContaining('DATABASE_POOL_SIZE'),
    ])
  })

  it('is not taken for faulty because of what the exporter of traces reads itself', () => {
    const others = { OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' }
    expect(faultsOf({ ...complete, ...others })).toEqual([])
  })

  it('is not taken for faulty because of variables that are none of ours', () => {
    expect(faultsOf({ ...complete, PATH: '/bin', HOME: '/root', HOSTNAME: 'box', PWD: '/' })).toEqual([])
  })
})

describe('an unsafe combination', () => {
  const insecure = { ...complete, AUTH_MODE: 'insecure-tenant-id' }

  it('of a trusted gateway without its secret is refused', () => {
    expect(faultsOf({ ...complete, AUTH_MODE: 'trusted-gateway' })).toEqual([
      expect.stringContaining('GATEWAY_SECRET'),
    ])
    expect(faultsOf({ ...complete, AUTH_MODE: 'trusted-gateway', GATEWAY_SECRET: secret() })).toEqual([])
  })

  it.each(['0.0.0.0', '::', '10.0.0.7', 'concord.example.org'])(
    'of the bare tenant id with HOST %s is refused',
    (HOST) => {
      expect(faultsOf({ ...insecure, NODE_ENV: 'test', HOST })).toEqual([expect.stringContaining('loopback')])
    },
  )

  it('of the bare tenant id with production is refused, and production is the default', () => {
    expect(faultsOf({ ...insecure, NODE_ENV: 'production' })).toEqual([expect.stringContaining('production')])
    expect(faultsOf(insecure)).toEqual([expect.stringContaining('production')])
  })

  it('is told with every reason at once', () => {
    expect(faultsOf({ ...insecure, HOST: '0.0.0.0' })).toHaveLength(2)
  })

  it.each(['127.0.0.1', '::1', 'localhost'])(
    'is not one when the bare tenant id stays on %s in development',
    (HOST) => {
      expect(faultsOf({ ...insecure, NODE_ENV: 'development', HOST })).toEqual([])
    },
  )
})

describe('the configuration of dispatcher and worker', () => {
  it('needs three variables, and no secret of the API among them', () => {
    expect(parseKernelConfig(kernel)).toEqual({
      NODE_ENV: 'production',
      DATABASE_DURABILITY: 'required',
      NATS_URL: kernel.NATS_URL,
      SUBJECT_PREFIX: 'concord',
      MASTER_KEY: [{ id: 'mk1', bytes: expect.any(Buffer) }],
      LOG_LEVEL: 'info',
      METRICS_HOST: '127.0.0.1',
      TRACES_PER_SECOND: 20,
      WORKER_DATABASE_URL: kernel.WORKER_DATABASE_URL,
      DISPATCH_WINDOW: 512,
      WORKER_CAPACITY: 32,
      READERS: 2,
      RETENTION_KEYS_SECONDS: 2_592_000,
      JUDGE_FORMAT: 'json_schema',
      JUDGE_TIMEOUT_MS: 20_000,
      JUDGE_TOKENS_PER_DAY: 200_000,
      JUDGE_CONCURRENCY: 2,
      MODEL_FORMAT: 'json_schema',
      MODEL_TIMEOUT_MS: 120_000,
      MODEL_CONCURRENCY: 200,
      MODEL_COMPARE_TOKENS: 24_000,
      MODEL_ISOLATION: 'suspected',
    })
  })

  it('is refused with all its faults at once', () => {
    const faults = faultsOf({ DISPATCH_WINDOW: '0', READERS: '65', WORKER_CAPACITY: 'x' }, parseKernelConfig)
    const named = [...Object.keys(kernel), 'DISPATCH_WINDOW', 'READERS', 'WORKER_CAPACITY']
    expect(faults.map((fault) => String(fault.split(' ')[0])).toSorted()).toEqual(named.toSorted())
  })

  it('does not take the address of the API for its own', () => {
    const { WORKER_DATABASE_URL: url, ...rest } = kernel
    expect(faultsOf({ ...rest, DATABASE_URL: url }, parseKernelConfig)).toEqual([
      expect.stringMatching(/^WORKER_DATABASE_URL is not set/),
    ])
  })

  it('names a misspelt variable instead of silently using the default', () => {
    expect(faultsOf({ ...kernel, WORKER_CAPACTIY: '9' }, parseKernelConfig)).toEqual([
      expect.stringContaining('did you mean WORKER_CAPACITY?'),
    ])
  })

  it('is not disturbed by what belongs to the API', () => {
    expect(faultsOf({ ...complete, ...kernel, PORT: 'none of our business' }, parseKernelConfig)).toEqual([])
  })
})

describe('the configuration of one process that does everything', () => {
  it('is that of both together', () => {
    expect(parseWholeConfig({ ...complete, ...kernel, READERS: '3', PORT: '9000' })).toMatchObject({
      DATABASE_URL: complete.DATABASE_URL,
      WORKER_DATABASE_URL: kernel.WORKER_DATABASE_URL,
      READERS: 3,
      PORT: 9000,
    })
  })

  it('is refused with the faults and the unsafe combinations of both', () => {
    const faults = faultsOf({ ...complete, AUTH_MODE: 'insecure-tenant-id', READERS: '0' }, parseWholeConfig)
    expect(faults).toEqual([
      expect.stringMatching(/^WORKER_DATABASE_URL is not set/),
      expect.stringMatching(/^READERS must be/),
      expect.stringContaining('refused in production'),
    ])
  })
})

describe('parseOwnerUrl', () => {
  it('needs the address of the owner and nothing else', () => {
    expect(parseOwnerUrl({ DATABASE_OWNER_URL: 'postgres://o@h/d' })).toBe('postgres://o@h/d')
  })

  it.each([undefined, '', 'concord', 'http://h/d'])('refuses %j and says what to set', (value) => {
    expect(() => parseOwnerUrl({ DATABASE_OWNER_URL: value })).toThrow(/DATABASE_OWNER_URL must be/)
  })
})

describe('the configuration of the judge', () => {
  const url = 'https://models.example/v1'

  it('is an address and a model, and both or none', () => {
    const whole = { ...kernel, JUDGE_URL: url, JUDGE_MODEL: 'made-up/small:7b' }
    expect(parseKernelConfig(whole)).toMatchObject({ JUDGE_URL: url, JUDGE_MODEL: 'made-up/small:7b' })
    expect(faultsOf({ ...kernel, JUDGE_URL: url }, parseKernelConfig)).toEqual([
      'JUDGE_MODEL is required when JUDGE_URL is set',
    ])
    expect(faultsOf({ ...kernel, JUDGE_MODEL: 'made-up' }, parseKernelConfig)).toEqual([
      'JUDGE_URL is required when JUDGE_MODEL is set',
    ])
  })

  it.each(['http://127.0.0.1:11434/v1', 'http://localhost/v1', 'http://[::1]:8080/v1', url])(
    'takes %s',
    (address) => {
      expect(parseKernelConfig({ ...kernel, JUDGE_URL: address, JUDGE_MODEL: 'm' }).JUDGE_URL).toBe(address)
    },
  )

  it.each([
    'http://models.example/v1',
    'http://127.0.0.1.models.example/v1',
    'https://user:word@models.example/v1',
    'https://models.example/v1?key=1',
    'ftp://127.0.0.1/v1',
    'models.example',
  ])('refuses %s', (address) => {
    const faults = faultsOf({ ...kernel, JUDGE_URL: address, JUDGE_MODEL: 'm' }, parseKernelConfig)
    expect(faults).toEqual([expect.stringMatching(/^JUDGE_URL must be an https:\/\/ address/)])
  })
})

describe('the configuration of the language model', () => {
  const url = 'https://models.example/v1'

  it('is an address and a model, and both or none', () => {
    const whole = { ...kernel, MODEL_URL: url, MODEL_NAME: 'made-up/large:70b', MODEL_VERIFY_NAME: 'small' }
    expect(parseKernelConfig(whole)).toMatchObject({
      MODEL_URL: url,
      MODEL_NAME: 'made-up/large:70b',
      MODEL_VERIFY_NAME: 'small',
    })
    expect(faultsOf({ ...kernel, MODEL_URL: url }, parseKernelConfig)).toEqual([
      'MODEL_NAME is required when MODEL_URL is set',
    ])
    expect(faultsOf({ ...kernel, MODEL_NAME: 'made-up' }, parseKernelConfig)).toEqual([
      'MODEL_URL is required when MODEL_NAME is set',
    ])
  })

  it('sends content over the network only encrypted', () => {
    const open = { ...kernel, MODEL_URL: 'http://models.example/v1', MODEL_NAME: 'm' }
    expect(faultsOf(open, parseKernelConfig)).toEqual([
      expect.stringMatching(/^MODEL_URL must be an https:\/\/ address/),
    ])
    const own = { ...kernel, MODEL_URL: 'http://127.0.0.1:11434/v1', MODEL_NAME: 'm' }
    expect(parseKernelConfig(own).MODEL_URL).toBe(own.MODEL_URL)
  })
})
