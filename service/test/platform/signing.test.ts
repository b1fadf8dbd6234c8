import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveSeed, readPublicKey, sha256, signingKeyOf } from '../../src/platform/signing.ts'

const message = Buffer.from('settled')

describe('a signing key', () => {
  it('signs as RFC 8032 says (test 3)', () => {
    const key = signingKeyOf(
      Buffer.from('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7', 'hex'),
    )
    expect(Buffer.from(key.sign(Buffer.from('af82', 'hex'))).toString('hex')).toBe(
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac' +
        '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    )
  })

  it('is known by its public half in each of the forms that people hand around', () => {
    const key = signingKeyOf(randomBytes(32))
    const der = Buffer.from(key.publicKeyPem.split('\n').slice(1, -2).join(''), 'base64')
    const forms = [key.publicKeyPem, der.toString('base64'), der.subarray(-32).toString('base64')]
    for (const form of forms) {
      const half = readPublicKey(form)
      expect(half.keyId).toBe(key.keyId)
      expect(half.isSigned(message, key.sign(message))).toBe(true)
      expect(half.isSigned(Buffer.from('reopened'), key.sign(message))).toBe(false)
      expect(half.isSigned(message, signingKeyOf(randomBytes(32)).sign(message))).toBe(false)
    }
    expect(key.keyId).toBe(sha256(der).toString('hex'))
  })

  it('is the same from the same secret, and another for another purpose', () => {
    const secret = randomBytes(32)
    expect(deriveSeed(secret, 'certificate')).toEqual(deriveSeed(secret, 'certificate'))
    expect(deriveSeed(secret, 'certificate')).not.toEqual(deriveSeed(secret, 'letter'))
    expect(deriveSeed(secret, 'certificate')).not.toEqual(deriveSeed(randomBytes(32), 'certificate'))
  })

  it.each([
    ['nothing', ''],
    ['words', 'not a key'],
    ['too few bytes', randomBytes(31).toString('base64')],
    [
      'a key of another kind',
      generateKeyPairSync('x25519').publicKey.export({ format: 'pem', type: 'spki' }),
    ],
    ['a private key', generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })],
    ['a broken PEM', '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----\n'],
  ])('is not read from %s', (_, given) => {
    expect(() => readPublicKey(given.toString())).toThrow(/Ed25519/)
  })
})
