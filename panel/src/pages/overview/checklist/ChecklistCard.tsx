import { Accordion, Button, Progress, Text, VisuallyHidden } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import type { Checklist, ChecklistStep, panelChangeChecklist } from '@peyk/contract'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { useAppMutation } from '#api/use-app-query.ts'
import { useToast } from '#parts/hooks/use-toast.ts'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './Checklist.module.css'
import { Finished } from './Finished.tsx'
import { focusHeading } from './focus-heading.ts'
import { InstallationStep, SeenDevice } from './InstallationStep.tsx'
import { KeyStep } from './KeyStep.tsx'
import { keepProgress, readProgress } from './keep-progress.ts'
import { MessageStep } from './MessageStep.tsx'
import { ProviderStep } from './ProviderStep.tsx'
import { SnippetStep } from './SnippetStep.tsx'
import { isFinished } from './use-checklist.ts'

const steps: readonly ChecklistStep[] = ['clientKey', 'snippet', 'installation', 'provider', 'message']

/** The first hour of an app, step by step; each ticks itself. */
export function ChecklistCard({ checklist, onClose }: { checklist: Checklist; onClose(): void }) {
  return isFinished(checklist) ? <Finished onClose={onClose} /> : <Steps checklist={checklist} />
}

function Steps({ checklist }: { checklist: Checklist }) {
  const { checklist: t } = useTexts()
  const { appId } = useApp()
  const format = useFormat()
  const [clientKey, setClientKey] = useSessionStorage({
    key: `peyk-client-key-${appId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const [isCopied, setIsCopied] = useState(() => readProgress(appId) === 'copied')
  const { device } = checklist
  const done = { ...checklist.done, snippet: checklist.done.snippet || isCopied }
  const [open, setOpen] = useOpenStep(checklist, () =>
    clientKey === '' && !done.installation ? 'clientKey' : firstLeft(done),
  )
  const copy = () => {
    keepProgress(appId, 'copied')
    setIsCopied(true)
  }
  const contents: Record<ChecklistStep, ReactNode> = {
    clientKey: <KeyStep isDone={done.clientKey} clientKey={clientKey} onKey={setClientKey} />,
    snippet: <SnippetStep clientKey={clientKey} onNoKey={() => setOpen('clientKey')} onCopied={copy} />,
    installation: <InstallationStep isDone={done.installation} device={device} />,
    provider: <ProviderStep isDone={done.provider} />,
    message: <MessageStep isDone={done.message} device={device} />,
  }
  const count = steps.filter((step) => done[step]).length
  return (
    <Panel title={t.title} lead={t.lead} actions={<DismissButton />}>
      <div className={classes.progress}>
        <Progress value={(100 * count) / steps.length} size="sm" aria-hidden flex={1} />
        <Text size="sm" c="dimmed" role="status">
          {t.progress(format.number(count), format.number(steps.length))}
        </Text>
      </div>
      <Accordion
        id={listId}
        order={3}
        value={open}
        onChange={(step) => setOpen(step as ChecklistStep | null)}
        classNames={{
          item: classes.item as string,
          control: classes.control as string,
          content: classes.content as string,
        }}
      >
        {steps.map((step) => (
          <Accordion.Item key={step} value={step}>
            <Accordion.Control icon={<Sign isDone={done[step]} />}>
              <span className={classes.title}>
                <Text span size="sm" fw={600} {...(done[step] && { c: 'dimmed' })}>
                  {t.steps[step]}
                  <VisuallyHidden> ({done[step] ? t.done : t.left})</VisuallyHidden>
                </Text>
                {step === 'installation' && device && <SeenDevice device={device} />}
              </span>
            </Accordion.Control>
            <Accordion.Panel>{contents[step]}</Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Panel>
  )
}

const listId = 'checklist'
const controlOf = (step: ChecklistStep) => document.getElementById(`${listId}-control-${step}`)

function firstLeft(done: Checklist['done']): ChecklistStep {
  return steps.find((step) => !done[step]) ?? 'message'
}

/** The step that is open. What is done elsewhere while one waits for it opens the next that is left. */
function useOpenStep({ done }: Checklist, start: () => ChecklistStep) {
  const [open, setOpen] = useState<ChecklistStep | null>(start)
  const before = useRef(done)
  useEffect(() => {
    const isNews = open !== null && open !== 'clientKey' && done[open] && !before.current[open]
    before.current = done
    if (!isNews) return
    const next = firstLeft(done)
    // What had the focus in the step is hidden with it.
    const hadFocus = document.getElementById(listId)?.contains(document.activeElement)
    setOpen(next)
    if (hadFocus) controlOf(next)?.focus()
  }, [done, open])
  return [open, setOpen] as const
}

function Sign({ isDone }: { isDone: boolean }) {
  return isDone ? (
    <IconCircleCheckFilled size={22} className={classes.done} aria-hidden />
  ) : (
    <IconCircleDashed size={22} className={classes.left} aria-hidden />
  )
}

function DismissButton() {
  const { checklist: t } = useTexts()
  const { may } = useApp()
  const toast = useToast()
  const change = useAppMutation<typeof panelChangeChecklist>('PUT', '/checklist', { refreshes: ['/checklist'] })
  if (!may('settings')) return null
  const dismiss = async () => {
    await change.mutateAsync({ isDismissed: true })
    toast.done(t.dismissed)
    focusHeading()
  }
  return (
    <Button variant="subtle" size="xs" loading={change.isPending} onClick={() => void dismiss().catch(toast.failed)}>
      {t.dismiss}
    </Button>
  )
}
