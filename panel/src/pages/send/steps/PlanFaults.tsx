import { Alert, List, Text } from '@mantine/core'
import type { DryRun } from '@peyk/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { sayFault } from './say-reason.ts'

/** What a member should look at before sending. */
export function PlanFaults({ dryRun, isAllowed }: { dryRun: DryRun; isAllowed: boolean }) {
  const { plan: texts, who } = useTexts().send
  const format = useFormat()
  const { faults, faultCodes } = dryRun
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />}>
      <Text size="sm" fw={600} mb={4}>
        {texts.warnings}
      </Text>
      <List size="sm" spacing={4}>
        {!isAllowed && <List.Item>{who.tooMany}</List.Item>}
        {faults.map((sentence, index) => {
          const { text, detail } = sayFault(faultCodes[index], sentence, texts.reasons, format)
          return (
            <List.Item key={sentence}>
              {text} {detail !== undefined && <bdi>{detail}</bdi>}
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}
