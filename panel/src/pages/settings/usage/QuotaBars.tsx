import { Group, Progress, Stack, Text } from '@mantine/core'
import type { UsedQuota } from '@peyk/contract'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'

/** How much of each quota is used. */
export function QuotaBars({ quotas }: { quotas: readonly UsedQuota[] }) {
  return (
    <Stack gap="lg">
      {quotas.map((quota) => (
        <QuotaBar key={quota.quota} quota={quota} />
      ))}
    </Stack>
  )
}

const near = 0.8

function QuotaBar({ quota: { quota, limit, used, left, resetsAt } }: { quota: UsedQuota }) {
  const words = useTexts().settings.usage
  const format = useFormat()
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const color = left === 0 ? 'red' : share >= near ? 'yellow' : undefined
  const state = left === 0 ? words.usedUp : words.left(format.number(left))
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          {words.quotaNames[quota]}
        </Text>
        <Text size="sm">{words.usedOf(format.number(used), format.number(limit))}</Text>
      </Group>
      <Progress value={share * 100} aria-label={words.quotaNames[quota]} {...(color !== undefined && { color })} />
      <Text size="xs" c="dimmed" mt={6}>
        {resetsAt === undefined ? state : `${state} · ${words.resets(format.moment(resetsAt))}`}
      </Text>
    </div>
  )
}
