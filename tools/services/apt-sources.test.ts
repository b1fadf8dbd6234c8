import { describe, expect, it } from 'vitest'
import { parseLines, parseStanzas } from './apt-sources.ts'

const STANZAS = `# where packages come from
Types: deb deb-src
# an older address
URIs: http://mirror.invalid/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/archive.gpg

Types: deb
URIs: http://mirror.invalid/debian-security
Suites: bookworm-security
Components: main

Types: deb
URIs: http://off.invalid/debian
Suites: bookworm
Components: main
Enabled: no

Types: deb
URIs: http://inline.invalid/debian
Suites: trixie
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----
`

describe('the addresses apt uses', () => {
  it('are read from stanzas, without security archives and disabled ones, with the key that belongs to each', () => {
    const key = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n abc\n -----END PGP PUBLIC KEY BLOCK-----'
    expect(parseStanzas(STANZAS)).toEqual([
      { uri: 'http://mirror.invalid/debian', signedBy: '/usr/share/keyrings/archive.gpg' },
      { uri: 'http://inline.invalid/debian', signedBy: key },
    ])
  })

  it('are read from single lines, with and without options', () => {
    const lines = `
# deb http://comment.invalid/debian bookworm main
deb http://mirror.invalid/debian bookworm main contrib # here
deb [arch=amd64 signed-by=/a.gpg] http://signed.invalid/debian trixie main
deb-src http://source.invalid/debian bookworm main
deb http://mirror.invalid/security bookworm-security main
deb http://vendor.invalid/apt any tools
`
    expect(parseLines(lines)).toEqual([
      { uri: 'http://mirror.invalid/debian' },
      { uri: 'http://signed.invalid/debian', signedBy: '/a.gpg' },
    ])
  })
})
