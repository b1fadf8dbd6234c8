// Finds rings in a graph of names. Each knot of nodes that reach one another is reported once, as its shortest ring.

/** From each node to the nodes it points at. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** One ring per knot, each starting at its first name in order; [a, b, c] means a → b → c → a. */
export function findRings(graph: Graph): string[][] {
  return knots(graph).map((knot) => shortestRing(graph, knot))
}

/** Groups of nodes that reach one another, and single nodes that point at themselves. */
export function knots(graph: Graph): string[][] {
  const order = finishingOrder(graph)
  const backwards = reversed(graph)
  const seen = new Set<string>()
  const groups: string[][] = []
  // Kosaraju: walking the reversed graph from the last finished node stays inside one knot.
  for (const start of order.toReversed()) {
    const group = seen.has(start) ? [] : reach(backwards, start, seen)
    if (group.length > 1 || graph.get(start)?.has(start) === true) groups.push(group.toSorted())
  }
  return groups.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

// Depth first: a node is written down when all it points at has been.
function finishingOrder(graph: Graph): string[] {
  const seen = new Set<string>()
  const order: string[] = []
  const visit = (node: string): void => {
    if (seen.has(node)) return
    seen.add(node)
    for (const next of graph.get(node) ?? []) visit(next)
    order.push(node)
  }
  for (const node of graph.keys()) visit(node)
  return order
}

function reversed(graph: Graph): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>()
  for (const [from, targets] of graph)
    for (const to of targets) result.set(to, (result.get(to) ?? new Set()).add(from))
  return result
}

// All that can be reached and was not seen before; the list grows while it is walked.
function reach(graph: Graph, start: string, seen: Set<string>): string[] {
  const group = [start]
  seen.add(start)
  for (const node of group)
    for (const next of graph.get(node) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      group.push(next)
    }
  return group
}

// Breadth first from the knot's first node back to itself; inside a knot there is always a way.
function shortestRing(graph: Graph, knot: readonly string[]): string[] {
  const start = knot[0] ?? ''
  const inside = new Set(knot)
  const ways: string[][] = [[start]]
  const seen = new Set<string>()
  for (const way of ways)
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way
      if (!inside.has(next) || seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  return [start]
}
