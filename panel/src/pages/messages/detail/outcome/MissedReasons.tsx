import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import type { DeliveryReason } from '@peyk/contract'
import { IconChevronRight } from '@tabler/icons-react'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './MissedReasons.module.css'

interface MissedReasonsProps {
  reasons: Record<DeliveryReason, number>
  onShow?: (reason: DeliveryReason) => void
}

/** Why a message did not arrive, in plain words, and what to do about it. */
export function MissedReasons({ reasons, onShow }: MissedReasonsProps) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const found = (Object.entries(reasons) as [DeliveryReason, number][])
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
  return (
    <Panel title={texts.missed}>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.missedNone}
        </Text>
      ) : (
        <Stack component="ul" gap={0} className={classes.list}>
          {found.map(([reason, count]) => (
            <Group key={reason} component="li" wrap="nowrap" align="flex-start" gap="md" className={classes.reason}>
              <Text fw={650} className={classes.count}>
                {format.number(count)}
              </Text>
              <div style={{ flex: 1 }}>
                <Title reason={reason} onShow={onShow} />
                <Text size="sm" c="dimmed">
                  {texts.reasons[reason].text}
                </Text>
              </div>
            </Group>
          ))}
        </Stack>
      )}
    </Panel>
  )
}

/** It leads to the devices. */
function Title({ reason, onShow }: { reason: DeliveryReason; onShow: MissedReasonsProps['onShow'] }) {
  const { messages: texts } = useTexts()
  const { title } = texts.reasons[reason]
  if (!onShow) return <Text fw={600}>{title}</Text>
  return (
    <UnstyledButton className={classes.link} onClick={() => onShow(reason)} aria-label={texts.showReason(title)}>
      {title}
      <IconChevronRight size={16} aria-hidden className={classes.arrow} />
    </UnstyledButton>
  )
}
