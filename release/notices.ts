import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Binary, binaries } from './binaries.ts'
import { listThirdParty, type ThirdParty } from './inventory.ts'

export const noticesFile = 'THIRD_PARTY_NOTICES.txt'

const rule = '-'.repeat(100)

/** The licences of all that others wrote and Peyk hands on. Equal texts stand once, under all whose they are. */
export function formatNotices(packages: readonly ThirdParty[], others: readonly Binary[]): string {
  const groups = new Map<string, ThirdParty[]>()
  for (const each of packages) {
    const text = each.texts.join('\n\n') || withoutText(each)
    groups.set(text, [...(groups.get(text) ?? []), each])
  }
  return [
    'Peyk contains, or runs on, the following works of others. Each is under its own licence, which follows.',
    'This file is written by "npm run notices" from the packages that are installed.',
    '',
    ...packages.map(({ name, version, license }) => `${name} ${version}: ${license}`),
    ...others.map(({ name, license }) => `${name}: ${license}`),
    '',
    ...[...groups].flatMap(([text, owners]) => [
      rule,
      ...owners.map(({ name, version, homepage }) => `${name} ${version}${homepage ? ` (${homepage})` : ''}`),
      '',
      text,
      '',
    ]),
    ...others.flatMap(({ name, license, homepage, copyright }) => [
      rule,
      `${name} (${homepage})`,
      '',
      `${copyright}. Licence: ${license}, https://spdx.org/licenses/${license}.html`,
      '',
    ]),
  ].join('\n')
}

function withoutText({ license, author }: ThirdParty): string {
  return `${author ? `By ${author}. ` : ''}Licence: ${license}, https://spdx.org/licenses/${license}.html`
}

export function writeNotices(root: string): void {
  writeFileSync(join(root, noticesFile), formatNotices(listThirdParty(root), binaries))
}

if (import.meta.main) writeNotices(join(import.meta.dirname, '..'))
