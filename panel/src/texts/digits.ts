const persianDigits = '۰۱۲۳۴۵۶۷۸۹'

/** Digits of Persian and Arabic are digits too. */
export function plainDigits(text: string): string {
  return text.replace(/[۰-۹٠-٩]/g, (digit) => String((digit.codePointAt(0) as number) & 0xf))
}

/** A number as it is typed, in plain digits with a point. Undefined: no number begins like this. */
export function readDigits(text: string): string | undefined {
  const plain = plainDigits(text)
    .replace(/[\s,٬،\u200e\u200f\u061c]/g, '')
    .replace(/[٫/]/, '.')
    .replace('−', '-')
  return /^-?\d*\.?\d*$/.test(plain) ? plain : undefined
}

/** What `readDigits` answered, as the language writes it, sign by sign. */
export function showDigits(plain: string, language: 'en' | 'fa'): string {
  if (language === 'en') return plain
  return plain.replace(/\d/g, (digit) => persianDigits[Number(digit)] as string).replace('.', '٫')
}
