import { Alert, Badge, Box, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { changeApp, replaceIdentitySecret } from '@peyk/contract'
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useAppMutation } from '../../api/use-app-query.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './IdentitySection.module.css'
import { useOwnApp } from './queries.ts'
import { SecretShown } from './SecretShown.tsx'

const example = "userHash = createHmac('sha256', identitySecret).update(userId).digest('hex')"

export function IdentitySection() {
  const { settings, common } = useTexts()
  const words = settings.identity
  const app = useOwnApp()
  const [secret, setSecret] = useState<string>()
  return (
    <Panel title={words.title}>
      <Answer of={app}>
        {({ identityVerification }) => <State isOn={identityVerification} onSecret={setSecret} />}
      </Answer>
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={words.secret}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
        size="lg"
      >
        <SecretShown label={words.secret} value={secret ?? ''} use={<HowTo />} onDone={() => setSecret(undefined)} />
      </Modal>
    </Panel>
  )
}

function State({ isOn, onSecret }: { isOn: boolean; onSecret(secret: string): void }) {
  const { settings } = useTexts()
  const words = settings.identity
  const confirm = useConfirm()
  const toast = useToast()
  const change = useAppMutation<typeof changeApp>('PUT', '/app', { refreshes: ['/app'] })
  const replace = useAppMutation<typeof replaceIdentitySecret>('POST', '/app/identitySecret')
  const turn = async () => {
    const title = isOn ? words.offTitle : words.onTitle
    const text = isOn ? words.offConfirm : words.onConfirm
    const confirmLabel = isOn ? words.switchOff : words.switchOn
    if (!(await confirm({ title, text, confirmLabel, danger: isOn }))) return
    await change.mutateAsync({ identityVerification: !isOn }).then(({ identitySecret }) => {
      if (identitySecret !== undefined) onSecret(identitySecret)
    }, toast.failed)
  }
  const renew = async () => {
    const { replaceTitle: title, replaceText: text, replace: confirmLabel } = words
    if (!(await confirm({ title, text, confirmLabel, danger: true }))) return
    await replace.mutateAsync().then(({ identitySecret }) => onSecret(identitySecret), toast.failed)
  }
  return (
    <Stack maw={640} align="flex-start">
      <Badge size="lg" color={isOn ? 'green' : 'yellow'} variant="light" tt="none">
        {isOn ? words.on : words.off}
      </Badge>
      {isOn ? (
        <Alert color="green" variant="light" icon={<IconShieldCheck />} w="100%">
          {words.onText}
        </Alert>
      ) : (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} w="100%">
          {words.offText}
        </Alert>
      )}
      {isOn && <HowTo />}
      <Group>
        <Button variant={isOn ? 'default' : 'filled'} loading={change.isPending} onClick={() => void turn()}>
          {isOn ? words.switchOff : words.switchOn}
        </Button>
        {isOn && (
          <Button variant="default" loading={replace.isPending} onClick={() => void renew()}>
            {words.replace}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function HowTo() {
  const { settings } = useTexts()
  return (
    <Stack gap={6} w="100%">
      <Text size="sm">{settings.identity.how}</Text>
      <Box component="pre" dir="ltr" className={classes.code}>
        {example}
      </Box>
    </Stack>
  )
}
