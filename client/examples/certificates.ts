/** Declaring a scope settled, and what is certified of it. */
import { isProblem } from '@concord/client'
import type { Concord } from '@concord/client'

export async function declareSettled(concord: Concord): Promise<void> {
  try {
    const { certificate } = await concord.declareSettled({
      scopeId: 'first-case',
      reason: 'All is resolved.',
    })
    console.log(certificate.about.number, certificate.evidence.root)
    if (certificate.format === 'concord-certificate/2') console.log(certificate.reading.coverage)
  } catch (error) {
    if (!isProblem(error, 'not_settled', 'refused_by_policy')) throw error
    for (const { pointer, message } of error.errors) console.log(pointer, message)
  }
}

export async function getCertificate(concord: Concord): Promise<void> {
  try {
    const { current, reopened_at } = await concord.getCertificate({ scopeId: 'first-case' })
    console.log(current ? 'nothing new' : `new evidence at ${reopened_at}`)
  } catch (error) {
    if (!isProblem(error, 'certificate_not_found')) throw error
    console.log('never declared settled')
  }
}

export async function listCertificates(concord: Concord): Promise<void> {
  for await (const { certificate, hash } of concord.listCertificates.all({ scopeId: 'first-case' })) {
    console.log(certificate.about.number, certificate.about.issued_at, hash)
  }
}

export async function listCertificateEvidence(concord: Concord): Promise<void> {
  try {
    for await (const { hash, leaf } of concord.listCertificateEvidence.all({ scopeId: 'first-case' })) {
      console.log(leaf.type, hash)
    }
  } catch (error) {
    if (!isProblem(error, 'certificate_not_found')) throw error
    console.log('nothing is certified')
  }
}

export async function listCertificateKeys(concord: Concord): Promise<void> {
  const { keys } = await concord.listCertificateKeys()
  for (const { key_id, signs, public_key } of keys) console.log(key_id, signs, public_key)
}
