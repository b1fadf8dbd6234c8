/** Formats certificates for people: a row of a list, and the result of a verification. */
import { oneLine } from '@concord/cli/terminal'
import type { Cell } from '@concord/cli/terminal'
import type { IssuedCertificate } from '../app/certificates/certificates.ts'
import type { Certificate, CertificateReading } from '../domain/certificate.ts'
import { missingIn } from '../domain/certificate/verification.ts'
import type { Verified } from './certificate-file.ts'

export function toRow({ certificate, hash, current, reopenedAt }: IssuedCertificate): Record<string, Cell> {
  const { about, evidence, scores } = certificate
  const reading = readingOf(certificate)
  return {
    number: about.number,
    certificate_id: about.certificate_id,
    issued_at: about.issued_at,
    log_position: about.log_position,
    state: scores.state,
    score: scores.score,
    documents: evidence.documents,
    claims: evidence.claims,
    // Null for form 1, which does not have it.
    claims_compared: reading?.claims_compared ?? null,
    coverage: reading?.coverage ?? null,
    readers: reading ? reading.readers.map(nameReader).join(', ') : null,
    current,
    reopened_at: reopenedAt,
    hash,
  }
}

export function toRecord(file: string, { bundle, differences }: Verified): object {
  const last = bundle?.certificates.at(-1)
  return {
    file,
    valid: differences.length === 0,
    format: last?.format ?? null,
    certified: last?.about ?? null,
    reading: (last && readingOf(last)) ?? null,
    differences,
  }
}

const MAX_SHOWN = 20

export function toLines(file: string, { bundle, differences }: Verified): string[] {
  const last = bundle?.certificates.at(-1)
  if (!bundle || !last || differences.length > 0) {
    const told = differences.map(({ part, certificate, message }) => {
      const place = certificate === null ? '' : ` of certificate ${certificate}`
      return `  ${part}${place}: ${oneLine(message)}`
    })
    const more = told.length - MAX_SHOWN
    return [`${file}: NOT VALID`, ...told.slice(0, MAX_SHOWN), ...(more > 0 ? [`  and ${more} more`] : [])]
  }
  const { about, evidence, scores, key_id } = last
  const { documents, claims, contradictions, decisions } = evidence
  const counts = `${documents} documents, ${claims} claims, ${contradictions} contradictions, ${decisions} decisions`
  return [
    `${file}: valid`,
    `  scope ${about.scope_id} of tenant ${about.tenant_id}, generation ${about.epoch}`,
    `  ${scores.state} at log position ${about.log_position}, score ${scores.score}; signed ${about.issued_at}`,
    `  ${counts}`,
    ...describeReading(readingOf(last)).map((line) => `  ${line}`),
    `  number ${about.number} of its chain; key ${key_id}`,
    ...missingIn(bundle).map((part) => `  NOT CHECKED: ${part}, which is not in the file`),
  ]
}

/** Returns undefined for form 1, which does not have it. */
function readingOf(certificate: Certificate): CertificateReading | undefined {
  return certificate.format === 'concord-certificate/1' ? undefined : certificate.reading
}

function nameReader({ reader, reader_version: version }: CertificateReading['readers'][number]): string {
  return `${reader} ${version}`
}

function describeReading(reading: CertificateReading | undefined): string[] {
  if (!reading) return ['form 1: says nothing about what was read, by which reader, or what was compared']
  const { readers, characters, claims, claims_compared, documents_with_gaps, comparisons_incomplete } =
    reading
  const named = readers.map((each) => `${nameReader(each)} (${count(each.documents, 'document')})`)
  return [
    `read by ${named.join(', ') || 'no reader'}`,
    `read ${percent(reading.coverage)} of ${count(characters, 'character')}`,
    `${count(claims, 'claim')}, ${claims_compared.toLocaleString('en-US')} compared with another document`,
    ...(documents_with_gaps > 0
      ? [`${count(documents_with_gaps, 'document')} NOT READ COMPLETELY, or without claims`]
      : []),
    ...(comparisons_incomplete > 0
      ? [`${count(comparisons_incomplete, 'group')} of claims NOT COMPARED COMPLETELY`]
      : []),
  ]
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

/** Rounds down, so that only a full share is 100 %. */
function percent(share: number): string {
  return `${Math.floor(Math.round(share * 1_000_000) / 1_000) / 10} %`
}
