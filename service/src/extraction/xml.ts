/** Reads XML as a sequence of tags and text. Entity declarations are ignored, and name prefixes are dropped. */
import { Parser } from 'htmlparser2'
import { MAX_MARKUP_DEPTH } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'

export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

export function readXml(xml: string, { open, text, close }: XmlHandler): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > MAX_MARKUP_DEPTH) throw new ExtractionFailure('too_many_parts')
        open?.(localName(name), attributes)
      },
      ontext: (part) => text?.(part),
      onclosetag(name) {
        depth -= 1
        close?.(localName(name))
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const RELATION_ID = /(?:^|:)id$/

/** The value of `r:id`, whatever prefix the file uses. */
export function relationIdOf(attributes: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(attributes).find(([name]) => name.includes(':') && RELATION_ID.test(name))?.[1]
}

export interface PartRelation {
  readonly target: string
  readonly type: string
}

/** Returns the relations of a part by id; targets are part names. */
export function readRelations(xml: string | undefined, folder: string): ReadonlyMap<string, PartRelation> {
  const relations = new Map<string, PartRelation>()
  if (xml === undefined) return relations
  readXml(xml, {
    open(name, { Id: id, Target: target, Type: type = '', TargetMode: mode }) {
      if (name !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return
      relations.set(id, { target: partName(folder, target), type: type.slice(type.lastIndexOf('/') + 1) })
    },
  })
  return relations
}

/** Normalises a part name: without a leading slash, `..` resolved. */
function partName(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '')
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
