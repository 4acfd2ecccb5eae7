import type { DryRun, Winner } from '@peyk/contract'
import { controlName } from '#parts/variants/control-name.ts'
import { spanMs } from '#parts/variants/span-ms.ts'
import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'

/** In a line: how many devices get which variant, or nothing, or the winner. Undefined where nothing is tested. */
export function sayTest(
  { variants, test }: Pick<DryRun, 'variants' | 'test'>,
  winner: Winner | undefined,
  texts: Texts['variants']['plan'],
  format: Format,
): string | undefined {
  if (!variants) return undefined
  const named = Object.entries(variants).filter(([name]) => name !== controlName)
  const parts = named.map(([name, count]) => texts.of(name === 'default' ? texts.plain : name, format.number(count)))
  const control = variants[controlName]
  if (control) parts.push(texts.confirmControl(format.number(control)))
  if (test && winner) {
    parts.push(texts.confirmOthers(format.number(test.others), format.duration(spanMs(winner.after) / 1000)))
  }
  return texts.confirm(format.list(parts))
}
