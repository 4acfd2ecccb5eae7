/** A name of the database's own, for a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
