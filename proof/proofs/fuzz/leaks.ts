/** Traces of the inside in an answer: stacks, files, statements, names of errors. */

const TRACES: readonly RegExp[] = [
  /\bat [\w.<>]+ \(?[^)\s]*:\d+:\d+/,
  /node_modules|node:internal|file:\/\//,
  /[\w-]+\.(?:ts|js|mjs|cjs):\d+/,
  /\/(?:home|root|tmp|usr|var|work|app|srv)\//,
  /\b(?:TypeError|RangeError|SyntaxError|ReferenceError|AssertionError|ZodError|DatabaseError)\b/,
  /\b(?:FST_ERR_\w+|ERR_[A-Z_]+|E(?:CONN|PIPE|NOENT)\w*)\b/,
  /\bselect\b[^"]{0,200}\bfrom (?:tenants|keys|scopes|scope_\w+|documents?\w*|work|readings|idempotency_keys)\b|\binsert into\b|\bset_config\b|\baccept_documents\b|\bsealed_\w+|\bapp\.tenant\b/i,
  /\brelation \\?"|violates \w+ constraint|syntax error at or near|out of range|row-level security|\bpg_\w+/i,
]

/** The first trace that the caller did not send itself. */
export function findLeak(body: string, sent: string): string | undefined {
  for (const trace of TRACES) {
    const found = trace.exec(body)?.[0]
    if (found !== undefined && !sent.includes(found)) return found
  }
  return undefined
}
