const partForm = /^(\d+)(?:[._]|$)/

/**
 * A version as a text that sorts as versions do: part by part as numbers, `1.10` after `1.9`, `1.0` equal to `1`,
 * and `1.2-beta` before `1.2`. Each part is its digits behind a letter for their number; `!` (a suffix follows) sorts
 * before `#` (the end), and both before letters (a further part).
 */
export function versionKey(version: string): string | undefined {
  let rest = version.trim().replace(/^v(?=\d)/i, '')
  const parts: string[] = []
  for (let found = leadingNumber(rest); found !== undefined; found = leadingNumber(rest)) {
    parts.push(found.digits)
    rest = found.rest
  }
  if (parts.length === 0) return undefined
  while (parts.length > 1 && parts.at(-1) === '0') parts.pop()
  const numbers = parts.map((digits) => String.fromCharCode(97 + digits.length) + digits).join('')
  return rest === '' ? `${numbers}#` : `${numbers}!${rest.toLowerCase().slice(0, 64)}`
}

function leadingNumber(text: string): { digits: string; rest: string } | undefined {
  const match = partForm.exec(text) ?? /^(\d+)/.exec(text)
  if (!match?.[1]) return undefined
  const digits = match[1].replace(/^0+(?=\d)/, '').slice(0, 20)
  return { digits, rest: text.slice(match[0].length) }
}
