import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useApp } from '#api/use-app.ts'
import { useLinkTo } from '#parts/AppLink.tsx'
import { isFocusLost } from '#parts/lost-focus.ts'
import { Panel } from '#parts/Panel.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { focusHeading } from './focus-heading.ts'
import { keepProgress } from './keep-progress.ts'

/** Said once: whoever comes back does not find it again. */
export function Finished({ onClose }: { onClose(): void }) {
  const { finished: t } = useTexts().checklist
  const { appId, may } = useApp()
  const linkTo = useLinkTo()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    keepProgress(appId, undefined)
    // It went with the button that sent the message.
    if (isFocusLost()) button.current?.focus()
  }, [appId])
  const close = () => {
    onClose()
    focusHeading()
  }
  return (
    <Panel
      title={t.title}
      lead={t.text}
      actions={
        <>
          <Button ref={button} variant="default" onClick={close}>
            {t.close}
          </Button>
          {may('send-to-one') && <Button renderRoot={linkTo('/send', { new: 'yes' })}>{t.compose}</Button>}
        </>
      }
    />
  )
}
