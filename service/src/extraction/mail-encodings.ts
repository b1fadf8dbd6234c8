/** The encodings of e-mails: base64 and quoted-printable bodies, encoded words in headers, and charsets. */

export function decodeTransfer(body: string, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return decodeQuoted(body.replaceAll(/=[ \t]*\n/g, ''))
    default:
      return Buffer.from(body, 'latin1')
  }
}

function decodeQuoted(text: string): Buffer {
  const plain = text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(plain, 'latin1')
}

/** An unknown charset is decoded as UTF-8, and bytes that are not UTF-8 as Windows-1252. */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
  try {
    if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset))
      return new TextDecoder(charset).decode(bytes)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Decodes by RFC 2047. Space between two encoded words is dropped. A header with raw bytes is decoded as UTF-8. */
export function decodeWords(header: string): string {
  const joined = header.replaceAll(/\?=\s+(?==\?)/g, '?=')
  const words = joined.replaceAll(
    /=\?([\w-]{1,40})\?([BbQq])\?([^?\s]*)\?=/g,
    (_, charset: string, encoding: string, text: string) => {
      const bytes =
        encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQuoted(text.replaceAll('_', ' '))
      return Buffer.from(decodeCharset(bytes, charset)).toString('latin1')
    },
  )
  return decodeCharset(Buffer.from(words, 'latin1'), undefined).replaceAll(/\s+/g, ' ')
}
