import { ActionIcon, Alert, Badge, Button, Collapse, Group, Menu, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { deleteWebhook, enableWebhook, replaceWebhookSecret, testWebhook, Webhook } from '@peyk/contract'
import { IconDotsVertical, IconKey, IconList, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useAppMutation } from '#api/use-app-query.ts'
import { useConfirm } from '#parts/Confirm.tsx'
import { Fault } from '#parts/Fault.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { Mono } from '#parts/Mono.tsx'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { sayEvent, sayStatus, WebhookAnswer } from './WebhookAnswer.tsx'
import { WebhookLog } from './WebhookLog.tsx'

interface WebhookCardProps {
  webhook: Webhook
  onEdit(): void
  onSecret(secret: string): void
}

export function WebhookCard({ webhook, onEdit, onSecret }: WebhookCardProps) {
  const { settings } = useTexts()
  const words = settings.webhooks
  const format = useFormat()
  const [isLogOpen, log] = useDisclosure(false)
  const path = `/webhooks/${webhook.id}`
  const test = useAppMutation<typeof testWebhook>('POST', `${path}/test`, { refreshes: [`${path}/attempts`] })
  return (
    <Panel>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text component="div" fw={600}>
              <Mono>{webhook.url}</Mono>
            </Text>
            <Text size="sm" c="dimmed">
              {webhook.events.map((event) => sayEvent(event, words)).join(' · ')}
            </Text>
          </div>
          <More webhook={webhook} onEdit={onEdit} onSecret={onSecret} />
        </Group>
        <State webhook={webhook} />
        {test.data && (
          <Alert color={test.data.isSuccess ? 'green' : 'red'} variant="light" role="status">
            {test.data.isSuccess ? (
              words.tested(sayStatus(test.data.status ?? 200, words), format.number(test.data.tookMs))
            ) : (
              <>
                {words.testFailed} <WebhookAnswer status={test.data.status} detail={test.data.detail} />
              </>
            )}
          </Alert>
        )}
        {test.isError && <Fault error={test.error} />}
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            {words.test}
          </Button>
          <Button variant="default" leftSection={<IconList size={16} />} onClick={log.toggle} aria-expanded={isLogOpen}>
            {words.log}
          </Button>
        </Group>
        <Collapse expanded={isLogOpen}>{isLogOpen && <WebhookLog webhookId={webhook.id} />}</Collapse>
      </Stack>
    </Panel>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const { settings } = useTexts()
  const words = settings.webhooks
  const format = useFormat()
  const toast = useToast()
  const enable = useAppMutation<typeof enableWebhook>('POST', `/webhooks/${webhook.id}/enable`, {
    refreshes: ['/webhooks'],
    onSuccess: () => toast.done(words.enabledAgain),
  })
  if (!webhook.isEnabled) {
    return (
      <Alert color="red" variant="light" title={words.disabled}>
        <Text size="sm">{words.disabledText}</Text>
        {enable.isError && <Fault error={enable.error} />}
        <Button size="xs" mt="sm" variant="default" loading={enable.isPending} onClick={() => enable.mutate()}>
          {words.enable}
        </Button>
      </Alert>
    )
  }
  return (
    <Group gap="xs">
      {webhook.failingSince === undefined ? (
        <Badge color="green" variant="light" tt="none">
          {words.enabled}
        </Badge>
      ) : (
        <Badge color="red" variant="light" tt="none">
          {words.failing(format.moment(webhook.failingSince))}
        </Badge>
      )}
      {webhook.waiting > 0 && (
        <Badge color="gray" variant="light" tt="none">
          {words.waiting(webhook.waiting, format.number(webhook.waiting))}
        </Badge>
      )}
      {webhook.retryAt !== undefined && (
        <Text size="sm" c="dimmed">
          {words.retryAt(format.time(webhook.retryAt))}
        </Text>
      )}
    </Group>
  )
}

function More({ webhook, onEdit, onSecret }: WebhookCardProps) {
  const { settings } = useTexts()
  const words = settings.webhooks
  const confirm = useConfirm()
  const toast = useToast()
  const path = `/webhooks/${webhook.id}`
  const replace = useAppMutation<typeof replaceWebhookSecret>('POST', `${path}/secret`)
  const remove = useAppMutation<typeof deleteWebhook>('DELETE', path, { refreshes: ['/webhooks'] })
  const askSecret = async () => {
    const { replaceSecretTitle: title, replaceSecretText: text, replaceSecret: confirmLabel } = words
    if (!(await confirm({ title, text, confirmLabel, danger: true }))) return
    await replace.mutateAsync().then(({ secret }) => onSecret(secret), toast.failed)
  }
  const askDelete = async () => {
    const { deleteTitle: title, deleteText: text, delete: confirmLabel } = words
    if (!(await confirm({ title, text, confirmLabel, danger: true }))) return
    await remove.mutateAsync().then(() => toast.done(words.deleted), toast.failed)
  }
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={settings.more}>
          <IconDotsVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {words.edit}
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={() => void askSecret()}>
          {words.replaceSecret}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void askDelete()}>
          {words.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
