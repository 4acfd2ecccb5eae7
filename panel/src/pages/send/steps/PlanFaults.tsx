import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import type { SaidFault } from './say-reason.ts'

export function PlanFaults({ warnings }: { warnings: readonly SaidFault[] }) {
  const { plan: texts } = useTexts().send
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />}>
      <Text size="sm" fw={600} mb={4}>
        {texts.warnings}
      </Text>
      <List size="sm" spacing={4}>
        {warnings.map(({ text, detail }) => (
          <List.Item key={`${text} ${detail}`}>
            {text} {detail !== undefined && <bdi>{detail}</bdi>}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
