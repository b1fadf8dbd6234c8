/** Which methods a path takes, for the Allow header and for the router. */
import type { Method } from '@concord/contract'
import type { Route } from './route.ts'

/** HEAD is answered like GET, without the body (RFC 9110, 9.3.2). */
export function methodsOf(method: Method): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = routes
    .filter(({ operation }) =>
      [operation.path, ...(operation.aliases ?? []).map((alias) => alias.path)].some((each) =>
        matches(each, path),
      ),
    )
    .flatMap(({ operation }) => methodsOf(operation.method))
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
