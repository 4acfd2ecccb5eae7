import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import classes from './Step.module.css'

export const stepNames = ['who', 'what', 'how', 'check', 'send'] as const
export type StepName = (typeof stepNames)[number]

/** One of the page's five parts. All are open all the time: nothing has to be finished before the next. */
export function Step({ name, children, aside }: { name: StepName; children: ReactNode; aside?: ReactNode }) {
  const { steps, leads } = useTexts().send
  const format = useFormat()
  return (
    <Panel aria-labelledby={`step-${name}`}>
      <Group align="flex-start" gap="sm" mb="md" wrap="nowrap">
        <span className={classes.place} aria-hidden>
          {format.number(stepNames.indexOf(name) + 1)}
        </span>
        <div style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} size="h4" id={`step-${name}`}>
            {steps[name]}
          </Title>
          <Text size="sm" c="dimmed">
            {leads[name]}
          </Text>
        </div>
        {aside}
      </Group>
      {children}
    </Panel>
  )
}
