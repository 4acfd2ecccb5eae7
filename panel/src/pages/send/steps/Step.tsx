import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './Step.module.css'

export const stepNames = ['audience', 'content', 'delivery', 'review'] as const
export type StepName = (typeof stepNames)[number]

/** One of the page's four parts. All are open all the time: nothing has to be finished before the next. */
export function Step({ name, children, aside }: { name: StepName; children: ReactNode; aside?: ReactNode }) {
  const { steps } = useTexts().send
  const format = useFormat()
  return (
    <Panel aria-labelledby={`step-${name}`}>
      <Group gap="sm" mb="md" wrap="nowrap">
        <span className={classes.place} aria-hidden>
          {format.number(stepNames.indexOf(name) + 1)}
        </span>
        <div style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} size="h4" id={`step-${name}`}>
            {steps[name]}
          </Title>
        </div>
        {aside}
      </Group>
      {children}
    </Panel>
  )
}
