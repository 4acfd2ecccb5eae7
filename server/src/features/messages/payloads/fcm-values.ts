/** `#abc`, `#aabbcc` and `#80aabbcc` as FCM wants them. */
export function toSixDigits(color: string | undefined): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color?.trim() ?? '')?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return digits.length === 3 ? `#${digits.replace(/./g, '$&$&')}` : `#${digits.slice(-6)}`
}

const blink = { light_on_duration: '0.5s', light_off_duration: '1s' }

export function lightSettings(ledColor: string | undefined): object | undefined {
  const color = toSixDigits(ledColor)
  if (color === undefined) return undefined
  const part = (start: number) => Math.round((Number.parseInt(color.slice(start, start + 2), 16) / 255) * 1000) / 1000
  return { color: { red: part(1), green: part(3), blue: part(5), alpha: 1 }, ...blink }
}

const maxVibrateMs = 10_000

export function vibrateTimings(vibrate: number[] | undefined): string[] | undefined {
  if (!vibrate?.length || !vibrate.every((ms) => ms >= 0 && ms <= maxVibrateMs)) return undefined
  return vibrate.map((ms) => `${Math.round(ms) / 1000}s`)
}
