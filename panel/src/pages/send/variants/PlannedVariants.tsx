import { Group, Stack, Text } from '@mantine/core'
import type { DryRun } from '@peyk/contract'
import { ShareBar } from '#parts/charts/ShareBar.tsx'
import { controlName } from '#parts/variants/control-name.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from '../steps/PlanView.module.css'

interface PlannedVariantsProps {
  counts: Record<string, number>
  test: DryRun['test']
}

/** How many devices would get which variant. */
export function PlannedVariants({ counts, test }: PlannedVariantsProps) {
  const { plan: texts } = useTexts().variants
  const format = useFormat()
  const whole = Math.max(
    1,
    Object.values(counts).reduce((all, count) => all + count, 0),
  )
  return (
    <Stack gap="sm" component="ul" className={classes.list}>
      {Object.entries(counts).map(([name, count]) => (
        <li key={name}>
          <Group justify="space-between" gap="xs" wrap="nowrap" mb={4}>
            <Text size="sm">
              <bdi>{name === controlName ? texts.control : name === 'default' ? texts.plain : name}</bdi>
            </Text>
            <Text size="sm" fw={650} className={classes.number}>
              {format.number(count)}
            </Text>
          </Group>
          <ShareBar share={count / whole} />
        </li>
      ))}
      {test && (
        <Text component="li" size="sm">
          {texts.test(test.tested, format.number(test.tested), format.number(test.others))}
        </Text>
      )}
    </Stack>
  )
}
