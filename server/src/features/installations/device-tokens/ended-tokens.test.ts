import { expect, test } from 'vitest'
import type { Installation } from '../installation.ts'
import { installationKey } from '../register/apply-installation-changes.ts'
import { endedTokens } from './ended-tokens.ts'

const first = new Date('2026-11-01T00:00:00Z')
const later = new Date('2026-11-15T00:00:00Z')

const phone = (no: number, deviceToken: string | undefined, at = first, appId = 1) =>
  ({ appId, id: `phone-${no}`, installationNo: no, deviceToken, tokenChangedAt: at }) as Installation
const end = (old: Installation[], now: Installation[]) =>
  endedTokens(new Map(old.map((installation) => [installationKey(installation), installation])), now)

test.each([
  ['another token renews it', [phone(1, 'a')], [phone(1, 'b', later)], ['renewed']],
  ['no token withdraws it', [phone(1, 'a')], [phone(1, undefined, later)], ['withdrawn']],
  [
    'a token that another brings is taken',
    [phone(1, 'a'), phone(2, undefined)],
    [phone(1, undefined, later), phone(2, 'a', later)],
    ['taken'],
  ],
  [
    'the same token of another app is not taken',
    [phone(1, 'a')],
    [phone(1, undefined, later), phone(2, 'a', later, 2)],
    ['withdrawn'],
  ],
  ['what stays does not end', [phone(1, 'a')], [phone(1, 'a')], []],
  ['a first token ends nothing', [phone(1, undefined)], [phone(1, 'a', later)], []],
  ['hex in another case is the same token', [phone(1, 'AB'.repeat(32))], [phone(1, 'ab'.repeat(32), later)], []],
])('%s', (_title, old, now, reasons) => {
  const ended = end(old, now)
  expect(ended.map(({ reason }) => reason)).toEqual(reasons)
  for (const token of ended) expect(token).toMatchObject({ installationNo: 1, givenAt: first, endedAt: later })
})
