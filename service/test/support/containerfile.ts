/**
 * The recipe of an image, performed in folders instead: the same files are copied and the same packages installed, so that what is
 * missing in the image is missing here. It knows the few instructions that our recipe uses, and refuses others.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Instruction {
  readonly word: string
  readonly rest: string
}

interface Stage {
  readonly name: string
  /** The folder that stands for `/`. */
  readonly root: string
  workdir: string
}

export interface Image {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly user: string
}

export interface Recipe {
  readonly file: string
  /** The folder that `docker build` would be given. */
  readonly context: string
  readonly into: string
}

export async function performRecipe({ file, context, into }: Recipe): Promise<Image> {
  const sent = await readSent(join(context, '.dockerignore'))
  const stages: Stage[] = []
  const image = { env: {} as Record<string, string>, entrypoint: [] as readonly string[], user: 'root' }
  for (const { word, rest } of readInstructions(await readFile(file, 'utf8'))) {
    const stage = stages.at(-1)
    if (word === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'final'
      const root = join(into, name)
      await mkdir(root, { recursive: true })
      stages.push({ name, root, workdir: '/' })
    } else if (!stage) {
      if (word !== 'ARG') throw new Error(`${word} stands before the first stage`)
    } else if (word === 'WORKDIR') stage.workdir = rest
    else if (word === 'COPY') await copy(rest, { stage, stages, context, sent })
    else if (word === 'RUN') await install(rest, stage)
    else if (word === 'ENV') Object.assign(image.env, readPairs(rest))
    else if (word === 'USER') image.user = rest
    else if (word === 'ENTRYPOINT') image.entrypoint = JSON.parse(rest) as string[]
    else if (!['ARG', 'LABEL', 'EXPOSE', 'CMD'].includes(word))
      throw new Error(`${word} is not known here; teach service/test/support/containerfile.ts what it does`)
  }
  const last = stages.at(-1)
  if (!last) throw new Error('there is no stage')
  return { root: last.root, ...image }
}

function readInstructions(text: string): Instruction[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return { word, rest }
    })
}

/** All is left out but what is named with an exclamation mark. */
async function readSent(file: string): Promise<readonly string[]> {
  const lines = (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines[0] !== '*' || lines.slice(1).some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore must leave out all, and then name what is sent')
  return lines.slice(1).map((line) => line.slice(1))
}

interface CopyPlace {
  readonly stage: Stage
  readonly stages: readonly Stage[]
  readonly context: string
  readonly sent: readonly string[]
}

async function copy(rest: string, { stage, stages, context, sent }: CopyPlace): Promise<void> {
  const [, from, list = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? []
  const words = list.split(' ')
  const target = words.pop() ?? ''
  const origin = from === undefined ? context : stages.find(({ name }) => name === from)?.root
  if (origin === undefined) throw new Error(`there is no stage ${from}`)
  for (const source of words) {
    if (from === undefined && !sent.some((name) => source === name || source.startsWith(`${name}/`)))
      throw new Error(`${source} is copied, but .dockerignore does not send it`)
    const destination = join(
      stage.root,
      resolve(stage.workdir, target),
      target.endsWith('/') ? basename(source) : '',
    )
    // Links between our own packages lead to where those will be.
    await cp(join(origin, source), destination, { recursive: true, verbatimSymlinks: true })
  }
}

/** Nothing else may be run: what changes a system cannot be performed in a folder. */
async function install(rest: string, { root, workdir }: Stage): Promise<void> {
  const [npm = '', ci, ...options] = rest.split(' ')
  if (npm !== 'npm' || ci !== 'ci') throw new Error(`RUN ${rest} is no installation of packages`)
  await run(npm, [ci, ...options, '--prefer-offline'], { cwd: join(root, workdir) })
}

function readPairs(rest: string): Record<string, string> {
  return Object.fromEntries(rest.split(' ').map((pair) => pair.split('=', 2)))
}
