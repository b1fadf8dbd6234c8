// Reads the layer table out of ARCHITECTURE.md. The page people read and the rules the check enforces are the
// same lines, so neither can be changed without the other.

export interface Layer {
  name: string
  /** A folder, or one file, relative to the root. */
  folder: string
  /** The row says `folder/*`: each folder inside is a room of its own, and no room may import another. */
  hasRooms: boolean
  /** Layers this one may import, and whether only for types. */
  mayImport: ReadonlyMap<string, 'runtime' | 'types'>
  /** False where the row says `no packages`. */
  packages: boolean
  /** Packages and globals that belong to this layer and to others that name them too. */
  aloneUses: readonly string[]
}

const between = /<!-- layers -->([\s\S]*?)<!-- \/layers -->/
const columns = ['layer', 'folder', 'may import', 'alone uses'] as const
type Row = Record<(typeof columns)[number], string>

/** Throws, with advice, on a table that could not be enforced as it reads. */
export function parseLayerTable(markdown: string): Layer[] {
  const layers = tableRows(markdown).map(layerOf)
  const names = new Set(layers.map((layer) => layer.name))
  if (names.size < layers.length)
    throw new Error('The layer table names a layer twice; give each its own row.')
  for (const layer of layers) {
    const unknown = [...layer.mayImport.keys()].find((name) => !names.has(name))
    if (unknown !== undefined)
      throw new Error(`The layer table lets ${layer.name} import ${unknown}, which has no row; add one.`)
  }
  return layers
}

/** The layer a file belongs to: the row with the longest folder that holds it. */
export function layerOfPath(layers: readonly Layer[], path: string): Layer | undefined {
  return layers
    .filter((layer) => path === layer.folder || path.startsWith(`${layer.folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]
}

/** The folder inside a layer that holds the file, where the layer keeps its folders apart. */
export function roomOfPath(layer: Layer, path: string): string | undefined {
  return layer.hasRooms ? path.slice(layer.folder.length + 1).split('/')[0] : undefined
}

// Columns are found by their titles, so the page may order them, and add to them, as it likes.
function tableRows(markdown: string): Row[] {
  const table = between.exec(markdown)?.[1]
  if (table === undefined)
    throw new Error(
      'ARCHITECTURE.md has no layer table; put it between <!-- layers --> and <!-- /layers -->.',
    )
  const [head, , ...body] = table.split('\n').flatMap((line) => (line.startsWith('|') ? [cells(line)] : []))
  const places = columns.map((column) => head?.indexOf(column) ?? -1)
  const missing = columns.find((_, index) => places[index] === -1)
  if (missing !== undefined) throw new Error(`The layer table needs a column called '${missing}'.`)
  return body.map((row) => {
    const cell = (index: number): string => row[places[index] ?? -1] ?? ''
    return { layer: cell(0), folder: cell(1), 'may import': cell(2), 'alone uses': cell(3) }
  })
}

// Formatting of cells (code marks, links to nothing) is for the reader; the names are what counts.
function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim())
}

function layerOf(row: Row): Layer {
  const words = list(row['may import'])
  const named = words.filter((word) => word !== 'no packages')
  return {
    name: row.layer,
    folder: row.folder.replace(/\/\*?$/, ''),
    hasRooms: row.folder.endsWith('/*'),
    mayImport: new Map(named.map(permission)),
    packages: named.length === words.length,
    aloneUses: list(row['alone uses']),
  }
}

// 'contract (types)' → ['contract', 'types']
function permission(word: string): [string, 'runtime' | 'types'] {
  const [, name, types] = /^([\w-]+)( \(types\))?$/.exec(word) ?? []
  if (name === undefined)
    throw new Error(`The layer table says '${word}' under 'may import'; write a layer, or 'layer (types)'.`)
  return [name, types === undefined ? 'runtime' : 'types']
}

function list(cell: string): string[] {
  return cell
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
