/** The tags and the metadata that `concord ingest` sets on every document it sends. */
import { InvalidArgumentError } from 'commander'

export interface IngestLabels {
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
}

export function addTag(given: string, before: readonly string[] = []): readonly string[] {
  const tags = given.split(',').map((tag) => tag.trim())
  if (tags.includes('')) throw new InvalidArgumentError('Give a tag.')
  return [...before, ...tags]
}

export function addText(given: string, before: IngestLabels['metadata']): Record<string, string> {
  const at = given.indexOf('=')
  if (at < 1 || at === given.length - 1) throw new InvalidArgumentError('Give KEY=VALUE.')
  return { ...before, [given.slice(0, at)]: given.slice(at + 1) }
}

/** Undefined if there are none: the documents then keep those that they have. */
export function labelsOf({
  tag: tags,
  metadata,
}: {
  readonly tag?: readonly string[]
  readonly metadata?: IngestLabels['metadata']
}): IngestLabels | undefined {
  return tags || metadata ? { ...(tags && { tags }), ...(metadata && { metadata }) } : undefined
}
