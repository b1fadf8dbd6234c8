// The notes of a release: what the changelog says of its version.

/** The section `## [VERSION] - DATE`, without its heading. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => each.startsWith(`[${version}]`))
  const [heading = '', ...lines] = section?.split('\n') ?? []
  if (!/\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(
      `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD". Date the entries under Unreleased.`,
    )
  const notes = lines.join('\n').trim()
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}. Write what changes for a user.`)
  return `${notes}\n`
}
