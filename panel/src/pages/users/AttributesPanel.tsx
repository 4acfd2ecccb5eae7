import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import type { UserAttribute } from '@peyk/contract'
import { IconAlertTriangle, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { AttributeEditor } from './AttributeEditor.tsx'

export function AttributesPanel({ userId, attributes }: { userId: string; attributes: readonly UserAttribute[] }) {
  const { users: texts } = useTexts()
  const { may } = useApp()
  /** The name of the one that is edited; '' is a new one. */
  const [edited, setEdited] = useState<string>()
  const done = () => setEdited(undefined)
  return (
    <Panel
      title={texts.attributes}
      actions={
        may('edit-users') &&
        edited === undefined && (
          <Button size="compact-xs" variant="light" leftSection={<IconPlus size={14} />} onClick={() => setEdited('')}>
            {texts.add}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {edited === '' && <AttributeEditor userId={userId} onDone={done} />}
        {attributes.length === 0 && edited === undefined && (
          <Text size="sm" c="dimmed">
            {texts.noAttributes}
          </Text>
        )}
        {attributes.map((attribute) =>
          attribute.name === edited ? (
            <AttributeEditor key={attribute.name} userId={userId} attribute={attribute} onDone={done} />
          ) : (
            <Group key={attribute.name} justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" c="dimmed" style={{ minWidth: 0 }}>
                <bdi>{attribute.name}</bdi>
              </Text>
              <Group gap={4} wrap="nowrap" justify="flex-end" style={{ minWidth: 0 }}>
                {!attribute.isInSegments && (
                  <Tooltip label={texts.otherKind} multiline w={240}>
                    <IconAlertTriangle size={15} color="var(--peyk-series-2)" aria-label={texts.otherKind} />
                  </Tooltip>
                )}
                <Text size="sm" fw={550} ta="end">
                  <AttributeValue attribute={attribute} />
                </Text>
                {may('edit-users') && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={texts.editAttribute(attribute.name)}
                    onClick={() => setEdited(attribute.name)}
                  >
                    <IconPencil size={14} />
                  </ActionIcon>
                )}
              </Group>
            </Group>
          ),
        )}
      </Stack>
    </Panel>
  )
}

function AttributeValue({ attribute: { kind, value } }: { attribute: UserAttribute }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  if (kind === 'date') return <span title={String(value)}>{format.moment(String(value))}</span>
  if (kind === 'number') return format.number(Number(value))
  if (kind === 'boolean') return value === true ? texts.true : texts.false
  if (Array.isArray(value)) return <bdi>{value.map(String).join(', ')}</bdi>
  return <bdi>{String(value)}</bdi>
}
