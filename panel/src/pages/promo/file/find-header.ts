import type { ScannedFile } from './scan-codes.ts'

/** What exports call the column, without spaces and signs. */
const names = new Set([
  ...[
    'code',
    'codes',
    'promo',
    'promos',
    'promocode',
    'promocodes',
    'promotioncode',
    'coupon',
    'coupons',
    'couponcode',
  ],
  ...['couponcodes', 'voucher', 'vouchers', 'vouchercode', 'vouchercodes', 'discount', 'discountcode', 'discountcodes'],
  ...['giftcode', 'giftcard', 'referralcode'],
  ...['کد', 'کدها', 'کدتخفیف', 'کدهایتخفیف', 'تخفیف', 'کوپن', 'ووچر', 'کدهدیه'],
])
/** These too, where there is no other column. */
const otherNames = new Set(['serial', 'key', 'id', 'value', 'name'])

const wordOf = (cell: string) => cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Whether a column with this head has codes. */
export function isCodeWord(cell: string): boolean {
  return names.has(wordOf(cell))
}

/**
 * Whether the first line names the column: by its word; because it is words while codes follow; or because it alone has
 * no digit. The page says what was found, and lets it be taken as a code.
 */
export function looksLikeHeader({ first, next }: ScannedFile): boolean {
  if (first === undefined) return false
  const [cell = ''] = first.text.split(/[,;\t]/)
  const word = wordOf(cell)
  if (names.has(word) || otherNames.has(word)) return true
  if (/\p{N}/u.test(first.text) || word === '') return false
  const codes = next.filter(({ fault }) => fault === undefined)
  if (codes.length === 0) return false
  return first.fault !== undefined || (codes.length > 1 && codes.every(({ text }) => /[0-9]/.test(text)))
}
