import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { IconArrowsShuffle, IconUserSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import classes from '../fields/TemplatePicker.module.css'
import { usePeople } from '../queries.ts'
import { useSending } from '../sending.ts'

/** Through whose eyes the preview is seen: somebody of chance, or a user that is looked for. */
export function SampleChooser({ onChoose }: { onChoose(userId: string | undefined): void }) {
  const { preview, test } = useTexts().send
  const { sample } = useSending()
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const { data } = usePeople(search, isOpen)
  const choose = (userId: string | undefined) => {
    setIsOpen(false)
    onChoose(userId)
  }
  if (sample?.person === undefined) return null
  return (
    <Group gap={4} wrap="nowrap">
      <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={280} shadow="md" trapFocus>
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconUserSearch size={14} />}
            aria-label={`${preview.asSeenBy} ${sample.person.userId}`}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            maw={180}
          >
            {sample.person.userId}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="sm">
          <Stack gap={6}>
            <TextInput
              size="xs"
              label={preview.choose}
              placeholder={test.search}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              dir="ltr"
              data-autofocus
            />
            {data?.people.map(({ userId }) => (
              <UnstyledButton key={userId} className={classes.choice} onClick={() => choose(userId)}>
                <span dir="ltr">{userId}</span>
              </UnstyledButton>
            ))}
            {data?.people.length === 0 && (
              <Text size="xs" c="dimmed">
                {test.none}
              </Text>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <Tooltip label={preview.anybody}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={preview.anybody}
          onClick={() => choose(undefined)}
        >
          <IconArrowsShuffle size={14} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
