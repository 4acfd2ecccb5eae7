import { Button } from '@mantine/core'
import { type Icon, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'

interface ActButtonProps {
  icon: Icon
  children: string
  isBusy?: boolean
  /** It ends something for good. */
  isFinal?: boolean
  onClick(): unknown
}

/** What can be done with a message or a series, at the head of its page. */
export function ActButton({ icon: Sign, children, isBusy = false, isFinal = false, onClick }: ActButtonProps) {
  return (
    <Button
      variant="default"
      {...(isFinal && { c: 'var(--mantine-color-error)' })}
      leftSection={<Sign size={16} />}
      loading={isBusy}
      onClick={() => void onClick()}
    >
      {children}
    </Button>
  )
}

interface HoldButtonProps {
  isHeld: boolean
  isBusy: boolean
  texts: { pause: string; resume: string }
  onClick(): unknown
}

export function HoldButton({ isHeld, isBusy, texts, onClick }: HoldButtonProps) {
  return (
    <ActButton icon={isHeld ? IconPlayerPlay : IconPlayerPause} isBusy={isBusy} onClick={onClick}>
      {isHeld ? texts.resume : texts.pause}
    </ActButton>
  )
}

/** Cancels or ends it. */
export function EndButton(props: Pick<ActButtonProps, 'children' | 'isBusy' | 'onClick'>) {
  return <ActButton icon={IconX} isFinal {...props} />
}
