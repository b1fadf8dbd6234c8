/** listCertificateKeys: open to anyone; what certificates are checked with. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { declare, settledScope } from '../../world/certificates.ts'
import { createTenant } from '../../world/tenants.ts'

const subject = createSubject('listCertificateKeys')
const read = async (url?: string) =>
  subject.expectAnswer(await subject.call(url === undefined ? {} : { url }), 200).keys

describe('listCertificateKeys: 200', () => {
  it('names each key by its hash, and says which one signs, the same at every process', async () => {
    const keys = await read()
    expect(keys.map(({ signs }) => signs)).toEqual(keys.map((_, place) => place === 0))
    for (const { key_id, public_key } of keys) {
      const der = createPublicKey(public_key).export({ format: 'der', type: 'spki' })
      expect(createHash('sha256').update(der).digest('hex')).toBe(key_id)
    }
    for (const url of theTarget().urls) expect(await read(url)).toEqual(keys)
  })

  it('shows the key that certificates are signed with', async () => {
    const tenant = await createTenant()
    const { certificate } = await declare(tenant, await settledScope(tenant))
    const [key] = await read()
    expect(certificate.key_id).toBe(key?.key_id)
    if (certificate.format !== 'concord-certificate/2')
      throw new Error('A certificate of form 2 was expected.')
    const { about, evidence, policy, previous, reading, scores } = certificate.digests
    // Names in the order of their letters, no spaces: the canonical form.
    const message = JSON.stringify({
      digests: { about, evidence, policy, previous, reading, scores },
      format: certificate.format,
      key_id: certificate.key_id,
    })
    const signature = Buffer.from(certificate.signature, 'base64url')
    expect(verify(null, Buffer.from(message), key?.public_key ?? '', signature)).toBe(true)
    expect(verify(null, Buffer.from(`${message} `), key?.public_key ?? '', signature)).toBe(false)
  })
})

describeEveryOperation(subject, () => ({}))
describeCompleteness(subject)
