/** Which methods a path takes, for the Allow header. */
import type { Route } from './route.ts'

export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = routes
    .filter(({ operation }) =>
      [operation.path, ...(operation.aliases ?? []).map((alias) => alias.path)].some((each) =>
        matches(each, path),
      ),
    )
    .map(({ operation }) => operation.method)
  return [...new Set(methods)].toSorted()
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  )
}
