import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DocumentFacts, PolicyQuestion, ScopeFacts } from '../../src/domain/policy.ts'
import { createPolicyEngine } from '../../src/policy/engine.ts'
import { attributesOf } from '../../src/policy/request.ts'

const engine = createPolicyEngine()
const NOTHING = { tenant: '', scope: '' }

const facts: DocumentFacts = { type: 'txt', characters: 100, version: 1, name: 'Letter.TXT', source: null }
const admit = (document: Partial<DocumentFacts> = {}, documentId = 'd'): PolicyQuestion => ({
  tenantId: 'tenant',
  scopeId: 'scope',
  point: 'admit_document',
  documentId,
  document: { ...facts, ...document },
})
const forbid = (when: string, id = 'own') =>
  `@id("${id}") forbid (principal, action == Concord::Action::"admit_document", resource) when { ${when} };`
const decide = (tenant: string, question: PolicyQuestion) =>
  engine.load({ ...NOTHING, tenant }).decide(question)

/** Everything was read by a model, and nothing is open. */
const complete: ScopeFacts = {
  state: 'settled',
  score: 1,
  coverage: 1,
  agreement: 1,
  resolution: 1,
  stability: 1,
  documents: 2,
  unfinished: 0,
  held: 0,
  failed: 0,
  gaps: 0,
  claims: 9,
  compared: 4,
  incomplete: 0,
  reader: 'model',
  open: { low: 0, medium: 0, high: 0, critical: 0 },
}
const certify = (scope: Partial<ScopeFacts> = {}): PolicyQuestion => ({
  tenantId: 'tenant',
  scopeId: 'scope',
  point: 'settle_scope',
  scope: { ...complete, ...scope },
})

describe('what ships', () => {
  it('can be put in force itself, and reads every document here', () => {
    expect(engine.check(engine.defaultText)).toEqual([])
    expect(engine.load(NOTHING).decide(admit())).toMatchObject({
      allowed: true,
      reason: 'permitted',
      policies: ['default/admit'],
    })
  })

  it('lets no text out of the deployment unless a tenant permits it', () => {
    const question: PolicyQuestion = {
      ...admit(),
      point: 'process_document',
      documentId: 'd',
      document: facts,
      stage: 'read',
      model: 'elsewhere',
      external: true,
    }
    expect(engine.load(NOTHING).decide(question)).toMatchObject({
      allowed: false,
      reason: 'not_permitted',
      policies: [],
    })
    const permit = `@id("ours") permit (principal, action == Concord::Action::"process_document", resource)
      when { context.model == "elsewhere" };`
    expect(decide(permit, question)).toMatchObject({ allowed: true, policies: ['tenant/ours'] })
  })

  it('certifies what a model has read completely, and what rules have read where a tenant names them', () => {
    const permit = `@id("rules") permit (principal, action == Concord::Action::"settle_scope", resource)
      when { context.reader == "rules" && context.coverage == 1000 };`
    expect(decide('', certify()).policies).toEqual(['default/settle-scope'])
    for (const reader of ['rules', 'mixed', 'none'])
      expect(decide('', certify({ reader }))).toMatchObject({ allowed: false, reason: 'not_permitted' })
    for (const lack of [{ coverage: 0.9999999 }, { gaps: 1 }, { incomplete: 1 }, { state: 'unassessed' }])
      expect([lack, decide('', certify(lack)).allowed]).toEqual([lack, false])
    expect(decide(permit, certify({ reader: 'rules' })).policies).toEqual(['tenant/rules'])
    expect(decide(permit, certify({ reader: 'rules', coverage: 0.9999999 })).allowed).toBe(false)
  })

  it('is told of coverage in per mille, rounded down', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (millionths) => {
        const question = certify({ coverage: millionths / 1_000_000 })
        const known = attributesOf(question, { resource: [], context: ['coverage'] })
        expect(known.context).toEqual({ coverage: Math.floor(millionths / 1_000) })
      }),
    )
  })

  it('leaves what weighs much to a person, whatever a tenant permits', () => {
    const permit = '@id("all") permit (principal, action, resource);'
    const settle = (severity: 'low' | 'high'): PolicyQuestion => ({
      tenantId: 't',
      scopeId: 's',
      point: 'settle_contradiction',
      contradictionId: 'c',
      contradiction: {
        relation: 'restatement',
        kind: 'money',
        severity,
        confidence: 0.9,
        reported: false,
        sameDocument: false,
      },
    })
    expect(decide(permit, settle('low'))).toMatchObject({
      allowed: true,
      policies: ['default/settle-restatement', 'tenant/all'],
    })
    expect(decide(permit, settle('high'))).toMatchObject({
      allowed: false,
      reason: 'forbidden',
      policies: ['default/weighty-needs-a-person'],
    })
  })
})

describe('a decision', () => {
  it('names those that decided, with where they come from', () => {
    const set = engine.load({
      tenant: forbid('resource.type == "draft"'),
      scope: forbid('resource.version > 1'),
    })
    expect(set.decide(admit({ type: 'draft', version: 2 })).policies).toEqual(['scope/own', 'tenant/own'])
    expect(set.decide(admit({ type: 'draft' })).policies).toEqual(['tenant/own'])
    expect(set.decide(admit())).toMatchObject({ allowed: true, hash: set.hash })
  })

  it.each([
    ['resource.name like "*secret*"', { name: 'a secret letter' }, { name: 'a letter' }],
    ['resource.extension == "txt"', { name: 'Letter.TXT' }, { name: 'txt' }],
    ['resource has source && resource.source like "https://*"', { source: 'https://a' }, { source: null }],
    ['resource.characters > 99', { characters: 100 }, { characters: 99 }],
  ])('may ask %s', (when, held, passed) => {
    expect(decide(forbid(when), admit(held)).allowed).toBe(false)
    expect(decide(forbid(when), admit(passed)).allowed).toBe(true)
  })

  it('may ask for one document, one scope or one tenant', () => {
    const set = engine.load({
      ...NOTHING,
      tenant: `@id("one") forbid (principal, action, resource == Concord::Document::"x");
        @id("there") forbid (principal, action, resource in Concord::Scope::"closed");
        @id("them") forbid (principal == Concord::Tenant::"other", action, resource);`,
    })
    expect(set.decide(admit()).allowed).toBe(true)
    expect(set.decide(admit({}, 'x')).policies).toEqual(['tenant/one'])
    expect(set.decide({ ...admit(), scopeId: 'closed' }).policies).toEqual(['tenant/there'])
    expect(set.decide({ ...admit(), tenantId: 'other' }).policies).toEqual(['tenant/them'])
  })

  it('looks at nothing that no policy asks for', () => {
    const untouched: DocumentFacts = {
      ...facts,
      get name(): string {
        throw new Error('nobody asked')
      },
    }
    const question: PolicyQuestion = {
      ...admit(),
      point: 'admit_document',
      documentId: 'd',
      document: untouched,
    }
    expect(engine.load(NOTHING).decide(question).allowed).toBe(true)
    expect(() => decide(forbid('resource.name == "x"', 'asks'), question)).toThrow('nobody asked')
  })

  it('is not to allow when one that forbids cannot be evaluated', () => {
    const overflow = forbid('resource.characters * 9223372036854775807 > 0')
    expect(decide(overflow, admit({ characters: 3 }))).toMatchObject({
      allowed: false,
      reason: 'undecidable',
      policies: ['tenant/own'],
    })
  })

  it('is never changed by permits beside one that forbids', () => {
    const clause = fc.constantFrom(
      'true',
      'resource.type == "txt"',
      'resource.characters >= 0',
      'resource.version > 0',
      'resource.name != "x"',
    )
    const permits = fc.array(fc.tuple(clause, fc.boolean()), { maxLength: 8 })
    fc.assert(
      fc.property(permits, fc.integer({ min: 0, max: 100_000 }), (clauses, characters) => {
        const others = clauses.map(
          ([when, narrow], index) =>
            `@id("p${index}") permit (principal, action${
              narrow ? ' == Concord::Action::"admit_document"' : ''
            }, resource) ${narrow ? `when { ${when} }` : ''};`,
        )
        const text = [forbid('resource.type == "txt"'), ...others].join('\n')
        expect(engine.check(text)).toEqual([])
        expect(decide(text, admit({ characters }))).toMatchObject({
          allowed: false,
          policies: ['tenant/own'],
        })
      }),
      { numRuns: 40 },
    )
  })

  it('stays that of its set when more sets are in use than are kept ready', () => {
    const texts = Array.from({ length: 12 }, (_, index) =>
      forbid(`resource.characters == ${index}`, `s${index}`),
    )
    const few = createPolicyEngine(4)
    const sets = texts.map((tenant) => few.load({ ...NOTHING, tenant }))
    for (const round of [0, 1])
      for (const [index, set] of sets.entries())
        expect(set.decide(admit({ characters: index, version: round }, `d${round}`)).policies).toEqual([
          `tenant/s${index}`,
        ])
  })
})

describe('a text', () => {
  const codes = (text: string) =>
    engine.check(text).map(({ line, column, code }) => `${line}:${column} ${code}`)

  it('may be empty', () => {
    expect(engine.check('')).toEqual([])
    expect(engine.check('// nothing but a remark')).toEqual([])
  })

  it('is refused with where, what and what helps', () => {
    const text = `// é in a remark\n${forbid('resource.typ == "x"')}`
    expect(engine.check(text)).toEqual([
      {
        line: 2,
        column: 93,
        code: 'invalid',
        message: expect.stringContaining('own: attribute `typ`'),
        help: 'did you mean `type`?',
      },
    ])
  })

  it.each([
    ['permit (principal, action, resource);', '1:1 id_missing'],
    ['@id("A b") permit (principal, action, resource);', '1:1 id_invalid'],
    [
      '@id("a") permit (principal, action, resource);\n@id("a") forbid (principal, action, resource);',
      '2:1 id_repeated',
    ],
    ['@id("a") permit (principal, action', '1:35 syntax'],
    ['@id("a") permit (principal == ?principal, action, resource);', '1:1 template'],
    [forbid('resource.characters == "many"'), '1:93 invalid'],
    [forbid('resource.source == "x"'), '1:93 invalid'],
    [forbid(Array(300).fill('true').join(' || ')), '1:1 too_deep'],
  ])('such as %j is refused', (text, expected) => {
    expect(codes(text)).toEqual([expected])
  })

  it('that nests too deeply for the engine is refused, and everybody else is decided as before', () => {
    for (const deep of [
      '('.repeat(4_000) + 'true' + ')'.repeat(4_000),
      `${'['.repeat(3_000)}1${']'.repeat(3_000)} == 1`,
    ])
      expect(codes(forbid(deep))).toEqual(['1:1 too_deep'])
    expect(engine.check(engine.defaultText)).toEqual([])
    expect(decide(forbid('resource.type == "after"'), admit({ type: 'after' })).allowed).toBe(false)
  })

  it('has another hash with every letter, and by where it stands', () => {
    const hashes = [
      NOTHING,
      { tenant: '// a', scope: '' },
      { tenant: '', scope: '// a' },
      { tenant: '// ', scope: 'a' },
    ].map((texts) => engine.hashOf(texts))
    expect(new Set(hashes).size).toBe(4)
  })
})

describe('an explanation', () => {
  it('says what each policy says, beside what they say together', () => {
    const tenant = `${forbid('resource.type == "draft"', 'drafts')}\n${forbid('resource.version > 7', 'late')}`
    const { decision, policies } = engine.explain({ ...NOTHING, tenant }, admit({ type: 'draft' }))
    expect(decision).toMatchObject({ allowed: false, policies: ['tenant/drafts'] })
    expect(policies).toContainEqual({ id: 'default/admit', effect: 'permit', says: 'applies' })
    expect(policies).toContainEqual({ id: 'tenant/drafts', effect: 'forbid', says: 'applies' })
    expect(policies).toContainEqual({ id: 'tenant/late', effect: 'forbid', says: 'does not apply' })
  })
})
