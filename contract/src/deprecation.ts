/** The headers that a deprecated alias has on every answer. */
import type { DeprecatedAlias, Operation } from './operation.ts'

export function deprecationHeaders(operation: Operation, alias: DeprecatedAlias) {
  return {
    /** RFC 9745: a date as seconds since 1970. */
    Deprecation: `@${Date.parse(alias.deprecatedOn) / 1000}`,
    /** RFC 8594: a date as HTTP writes them. */
    Sunset: new Date(alias.sunsetOn).toUTCString(),
    Link: `<${operation.path}>; rel="successor-version"`,
  } as const
}
