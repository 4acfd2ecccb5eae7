import type { Chance } from './chance.ts'

export const nastyTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\u0000b',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table users; --",
  '{{',
  '{% if %}',
  '{{ promoCode }}',
  '../../etc/passwd',
  '%00',
  '%ZZ',
  '%2F..%2F',
  '‮reversed',
  '👩‍👩‍👧‍👦',
  'ﷺ'.repeat(50),
  'x'.repeat(300),
  'x'.repeat(70_000),
  '6h',
  '999999999999h',
  '1e400',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '*',
  '#',
  '+',
  '9'.repeat(400),
  '-1',
  '00000000-0000-4000-8000-000000000000',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '0001-01-01T00:00:00Z',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'eyJhIjoxfQ==',
  Buffer.from('[1,"x",null]').toString('base64url'),
]

export const nastyNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1,
  1e308,
  -1e308,
  2 ** 53 + 1,
  2 ** 63,
  -(2 ** 63),
  1.5,
  1e-300,
  4_294_967_296,
  2_147_483_648,
  253_402_300_800_000,
  8.64e15 + 1,
  -62_135_596_800_001,
]

const nastyObjects: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { a: { b: { c: 1 } } },
  ['a', 1],
  { $ne: 1 },
  { inq: 'x' },
  { length: -1 },
  { toString: null, valueOf: 1 },
]

export function nastyValue(chance: Chance, depth = 0): unknown {
  switch (chance.int(9)) {
    case 0:
    case 1:
    case 2:
      return chance.pick(nastyTexts)
    case 3:
      return chance.pick(nastyNumbers)
    case 4:
      return chance.pick(nastyObjects)
    case 5:
      return chance.text()
    case 6:
      return depth > 3 ? 1 : chance.list(0, 4, () => nastyValue(chance, depth + 1))
    case 7:
      return depth > 3
        ? 'deep'
        : Object.fromEntries(chance.list(0, 4, () => [chance.pick(nastyTexts), nastyValue(chance, depth + 1)]))
    default:
      return chance.is(0.1) ? chance.list(200, 300, () => chance.int(1_000)) : nested(chance.int(60))
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
