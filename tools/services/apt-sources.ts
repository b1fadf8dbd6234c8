// Reads where this machine gets its Debian packages from, and with which key it checks them, in both formats
// apt knows. The addresses come from the machine alone; none is written down here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface AptSource {
  readonly uri: string
  /** A keyring's path or a key block, as apt's Signed-By field takes it; absent: the keys apt trusts in general. */
  readonly signedBy?: string
}

/** The archives this machine installs its main packages from, without doubles, in apt's order. */
export function readAptSources(root = '/etc/apt'): AptSource[] {
  const parts = join(root, 'sources.list.d')
  const names = existsSync(parts) ? readdirSync(parts).toSorted() : []
  const files = [join(root, 'sources.list'), ...names.map((name) => join(parts, name))].filter(existsSync)
  const sources = files.flatMap((file) => {
    if (file.endsWith('.sources')) return parseStanzas(readFileSync(file, 'utf8'))
    return file.endsWith('.list') ? parseLines(readFileSync(file, 'utf8')) : []
  })
  return sources.filter((source, at) => sources.findIndex((other) => other.uri === source.uri) === at)
}

/** The format of *.sources files: stanzas of "Field: value", values may go on over indented lines. */
export function parseStanzas(text: string): AptSource[] {
  const plain = text.replace(/^#.*\n?/gm, '')
  return plain.split(/\n\s*\n/).flatMap((stanza) => {
    const field = (name: string) =>
      new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'im').exec(stanza)?.[1]?.trim()
    const words = (name: string) => field(name)?.split(/\s+/) ?? []
    if (field('Enabled')?.toLowerCase() === 'no' || !words('Types').includes('deb')) return []
    if (!holdsMainPackages(words('Suites'), words('Components'))) return []
    return words('URIs').map((uri) => withKey(uri, field('Signed-By')))
  })
}

/** The older one-line format: deb [options] uri suite component… */
export function parseLines(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const [, options = '', uri, suite, rest = ''] =
      /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line) ?? []
    if (!uri || !suite || !holdsMainPackages([suite], rest.split(/\s+/))) return []
    return [withKey(uri, /signed-by=(\S+)/.exec(options)?.[1]?.replaceAll(',', ' '))]
  })
}

// Security archives hold no complete suites, and archives of other vendors seldom have a component "main".
function holdsMainPackages(suites: readonly string[], components: readonly string[]): boolean {
  return components.includes('main') && suites.some((suite) => !/[-/]security|-updates/.test(suite))
}

function withKey(uri: string, signedBy: string | undefined): AptSource {
  return signedBy ? { uri, signedBy } : { uri }
}
