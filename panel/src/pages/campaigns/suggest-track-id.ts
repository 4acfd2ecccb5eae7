/** "Nowruz sale 1406!" → "nowruz-sale-1406": letters and digits of any language, with hyphens between. */
export function suggestTrackId(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
}
