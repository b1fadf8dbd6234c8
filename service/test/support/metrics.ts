/** The metrics of a process at /metrics, read the way Prometheus reads it. */

export interface Shown {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/g

export async function scrape(address: string): Promise<Shown[]> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
  return parseMetrics(await answer.text())
}

/** Throws on a line that is none. */
function parseMetrics(text: string): Shown[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseLine)
}

function parseLine(line: string): Shown {
  const [found, name = '', labels = '', value = ''] = LINE.exec(line) ?? []
  if (found === undefined) throw new Error(`not a line of metrics: ${line}`)
  return { name, value: Number(value.replace('+Inf', 'Infinity')), labels: parseLabels(labels) }
}

function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value]))
}

/** The sum over all samples that have these labels. */
export function total(shown: readonly Shown[], name: string, labels: Readonly<Record<string, string>> = {}) {
  const matching = shown.filter(
    (each) =>
      each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  )
  return matching.length === 0 ? undefined : matching.reduce((all, { value }) => all + value, 0)
}
