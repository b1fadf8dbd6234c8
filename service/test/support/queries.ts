/** The queries of deploy/ to Prometheus: the queries of the dashboard and of the alert rules. */
import { readFile } from 'node:fs/promises'

const DEPLOY = new URL('../../../deploy/', import.meta.url)

export interface Query {
  /** Panel or alert. */
  readonly where: string
  readonly expr: string
}

export interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[]
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}

export async function readDashboard(): Promise<{ readonly panels: readonly Panel[] }> {
  return JSON.parse(await readFile(new URL('grafana/concord.json', DEPLOY), 'utf8')) as { panels: Panel[] }
}

export interface AlertRule extends Query {
  readonly severity: string
  readonly summary: string
}

const RULE =
  /^ {6}- alert: (\w+)\n {8}expr: (.+?)\n(?: {8}for: \d+m\n)? {8}labels:\n {10}severity: (\w+)\n {8}annotations:\n {10}summary: (.+?)\n/gms

/** By the one form that all of them have; whatever has another is not found, and so not counted. */
export async function readRules(): Promise<{
  readonly rules: readonly AlertRule[]
  readonly written: number
}> {
  const text = await readFile(new URL('prometheus/alerts.yaml', DEPLOY), 'utf8')
  const rules = [...text.matchAll(RULE)].map(([, where = '', expr = '', severity = '', summary = '']) => ({
    where,
    expr: expr.replace(/^>-\n/, '').replaceAll(/\s+/g, ' ').trim(),
    severity,
    summary,
  }))
  return { rules, written: text.split('- alert: ').length - 1 }
}

/** The names of figures in a query. */
export function figuresIn(expr: string): string[] {
  return [...new Set(expr.match(/\bconcord_[a-z_]+/g))]
}

/** The labels that a query picks figures by, with the values it names. */
export function labelsIn(expr: string): { figure: string; label: string; values: string[] }[] {
  return [...expr.matchAll(/\b(concord_[a-z_]+)\{([^}]*)\}/g)].flatMap(([, figure = '', inside = '']) =>
    [...inside.matchAll(/([a-z_]+)=~?"([^"]*)"/g)].map(([, label = '', values = '']) => ({
      figure,
      label,
      values: values.split('|'),
    })),
  )
}

/** The labels that a query groups by; `le` belongs to every histogram. */
export function groupsIn(expr: string): string[] {
  return [...expr.matchAll(/\bby \(([^)]*)\)/g)]
    .flatMap(([, inside = '']) => inside.split(',').map((label) => label.trim()))
    .filter((label) => label !== 'instance')
}

export function isBalanced(expr: string): boolean {
  const open: string[] = []
  for (const sign of expr.replaceAll(/"[^"]*"/g, '')) {
    if ('([{'.includes(sign)) open.push(sign)
    else if (')]}'.includes(sign) && open.pop() !== '([{'[')]}'.indexOf(sign)]) return false
  }
  return open.length === 0
}
