/** Random policies that permit: whatever they are, what is forbidden stays so. */
const CONDITIONS: Readonly<Record<string, readonly ((number: number) => string)[]>> = {
  admit_document: [
    () => 'true',
    (number) => `resource.characters < ${number}`,
    (number) => `resource.version <= ${number}`,
    () => '["draft", "contract", "confidential", "txt"].contains(resource.type)',
    () => 'resource.name like "*"',
  ],
  process_document: [
    () => 'true',
    () => 'context.external',
    () => 'context.stage == "compare" || context.stage == "read"',
    (number) => `resource.characters < ${number} || resource.type == "confidential"`,
  ],
  settle_contradiction: [
    () => 'true',
    (number) => `resource.severity_rank < ${number}`,
    () => 'resource.reported || resource.same_document',
    (number) => `resource has confidence && resource.confidence <= ${number}`,
  ],
  settle_scope: [
    () => 'true',
    (number) => `context.score < ${number}`,
    (number) => `context.unfinished < ${number} && context.open_critical < ${number}`,
  ],
}
const POINTS = Object.keys(CONDITIONS)
const GREATEST = 120_000
/** One in so many permits everything. */
const ALL_IN = 4

export function randomPermits(random: () => number, count: number): string {
  const below = (limit: number) => Math.floor(random() * limit)
  const permits = Array.from({ length: count }, (_, index) => {
    const id = `@id("random-${index}")`
    if (below(ALL_IN) === 0) return `${id} permit (principal, action, resource);`
    const point = POINTS[below(POINTS.length)] ?? ''
    const conditions = CONDITIONS[point] ?? []
    const condition = conditions[below(conditions.length)]?.(below(GREATEST)) ?? 'true'
    return `${id} permit (principal, action == Concord::Action::"${point}", resource) when { ${condition} };`
  })
  return `${permits.join('\n')}\n`
}
