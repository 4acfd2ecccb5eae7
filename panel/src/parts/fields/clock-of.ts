/** What the member's clock shows at a moment, as `2026-12-01T09:00`. */
export function clockOf(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
