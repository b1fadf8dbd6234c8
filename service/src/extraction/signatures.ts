/** Checks the declared type of a file by its first bytes. */
import type { FileType } from '../domain/file-layout.ts'
import { ExtractionFailure } from './failure.ts'

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')
const PDF = Buffer.from('%PDF-', 'latin1')
/** Compound files: Word, Excel and PowerPoint before 2007, and every encrypted office document since. */
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
/** The number of bytes that may precede the header of a PDF. */
const PDF_HEAD = 1_024
const HEAD = 8_192

export function requireType(type: FileType, bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (type) {
    case 'pdf':
      if (file.subarray(0, PDF_HEAD).indexOf(PDF) === -1) throw new ExtractionFailure('wrong_type')
      return
    case 'docx':
    case 'xlsx':
    case 'pptx':
      return requireOffice(file)
    default:
      if (isBinary(file)) throw new ExtractionFailure('wrong_type')
  }
}

function requireOffice(file: Buffer): void {
  if (file.subarray(0, ZIP.length).equals(ZIP)) return
  if (!file.subarray(0, COMPOUND.length).equals(COMPOUND)) throw new ExtractionFailure('wrong_type')
  throw new ExtractionFailure(file.includes(ENCRYPTED_PACKAGE) ? 'encrypted' : 'legacy_format')
}

function isBinary(file: Buffer): boolean {
  const head = file.subarray(0, HEAD)
  if ([ZIP, PDF, COMPOUND].some((mark) => head.subarray(0, mark.length).equals(mark))) return true
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  return !isUtf16 && head.includes(0)
}
