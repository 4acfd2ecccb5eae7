import { Button, Modal, Stack } from '@mantine/core'
import type { Webhook } from '@peyk/contract'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { Answer } from '#parts/Answer.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { EmptyState } from '#parts/EmptyState.tsx'
import { Panel } from '#parts/Panel.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useWebhooks } from '../queries.ts'
import { SecretShown } from '../SecretShown.tsx'
import { SectionHead } from '../SectionHead.tsx'
import { WebhookCard } from './WebhookCard.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'

export function WebhooksSection() {
  const { settings, common } = useTexts()
  const words = settings.webhooks
  const webhooks = useWebhooks()
  const [edited, setEdited] = useState<Webhook | 'new'>()
  const [secret, setSecret] = useState<string>()
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {words.new}
    </Button>
  )
  return (
    <Stack>
      <SectionHead
        title={words.title}
        lead={
          <>
            {words.lead} <DocsLink place="webhooks" />
          </>
        }
        actions={add}
      />
      <Answer of={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Panel>
              <EmptyState icon={IconWebhook} title={words.none} text={words.noneText} />
            </Panel>
          ) : (
            all.map((webhook) => (
              <WebhookCard key={webhook.id} webhook={webhook} onEdit={() => setEdited(webhook)} onSecret={setSecret} />
            ))
          )
        }
      </Answer>
      <WebhookDialog
        key={edited === 'new' ? 'new' : edited?.id}
        webhook={edited}
        onClose={() => setEdited(undefined)}
        onSecret={setSecret}
      />
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={words.secret}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
        size="lg"
      >
        <SecretShown
          label={words.secret}
          value={secret ?? ''}
          use={
            <>
              {words.secretUse} <DocsLink place="webhooks" />
            </>
          }
          onDone={() => setSecret(undefined)}
        />
      </Modal>
    </Stack>
  )
}
