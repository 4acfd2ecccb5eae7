const unreleased = 'unreleased'

/** The changelog with the date of a version that was unreleased, and what it says of it. */
export function dateVersion(changelog: string, version: string, day: string): { text: string; notes: string } {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} — (.+)$`, 'm')
  const found = heading.exec(changelog)
  if (!found) throw new Error(`CHANGELOG.md has no section "## ${version} — ${unreleased}".`)
  if (found[1] !== unreleased) throw new Error(`CHANGELOG.md says that ${version} was released: ${found[1]}.`)
  const after = changelog.slice(found.index + found[0].length)
  const notes = after.split(/^## /m, 1)[0]?.trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}.`)
  return { text: changelog.replace(heading, `## ${version} — ${day}`), notes }
}
