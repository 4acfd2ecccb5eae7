import Type from 'typebox'

/** Known platforms. Any other is `other:<name>`. */
export const deviceTypes = [
  ...['android', 'ios', 'web', 'windows', 'macos', 'linux', 'harmonyos', 'fireos'],
  ...['tvos', 'watchos', 'visionos', 'tizen', 'webos', 'roku'],
] as const

const otherType = /^other:[a-z0-9._-]{1,64}$/

/** Ignores case, because clients also send `Android` and `iOS`. */
export function readDeviceType(sent: string): string | undefined {
  const value = sent.toLowerCase()
  return (deviceTypes as readonly string[]).includes(value) || otherType.test(value) ? value : undefined
}

const names = deviceTypes.map((name) => `"${name}"`).join(', ')
const expected = `${names}, or "other:" and a name of 1 to 64 letters, digits, ".", "_" and "-"`

export const DeviceType = Type.Refine(
  Type.String({
    maxLength: 255,
    expected,
    description: `The platform: ${names.replaceAll('"', '`')}; any other as \`other:<name>\`. Stored in lower case.`,
  }),
  (value) => readDeviceType(value) !== undefined,
  () => `must be one of ${expected}`,
)
