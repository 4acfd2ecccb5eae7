import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { createContext, type FormEvent, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { useTexts } from '../texts/LanguageProvider.tsx'

export interface Question {
  title: string
  text: ReactNode
  confirmLabel: string
  danger?: boolean
  /** What the other button says, where "Cancel" could be misread. */
  refuseLabel?: string
  /** Must be typed before the button works. */
  typeToConfirm?: string
}

type Ask = (question: Question) => Promise<boolean>

const AskContext = createContext<Ask | undefined>(undefined)

/** `await confirm({ … })`: true when the member said yes. */
export function useConfirm(): Ask {
  const ask = useContext(AskContext)
  if (ask === undefined) throw new Error('there is no ConfirmProvider')
  return ask
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const { common } = useTexts()
  const [question, setQuestion] = useState<Question>()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const settle = useRef<(isConfirmed: boolean) => void>(undefined)

  const ask = useCallback<Ask>((asked) => {
    settle.current?.(false)
    setQuestion(asked)
    setTyped('')
    setIsOpen(true)
    return new Promise((resolve) => {
      settle.current = resolve
    })
  }, [])
  const answer = (isConfirmed: boolean) => {
    setIsOpen(false)
    settle.current?.(isConfirmed)
    settle.current = undefined
  }
  const mayConfirm = question?.typeToConfirm === undefined || typed.trim() === question.typeToConfirm
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (mayConfirm) answer(true)
  }

  return (
    <AskContext value={ask}>
      {children}
      <Modal
        opened={isOpen}
        onClose={() => answer(false)}
        title={question?.title}
        closeButtonProps={{ 'aria-label': common.close }}
        centered
      >
        <form onSubmit={submit}>
          <Stack>
            <Text component="div">{question?.text}</Text>
            {question?.typeToConfirm !== undefined && (
              <TextInput
                label={common.typeToConfirm(question.typeToConfirm)}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => answer(false)}>
                {question?.refuseLabel ?? common.cancel}
              </Button>
              <Button
                type="submit"
                disabled={!mayConfirm}
                {...(question?.danger && { color: 'red.9' })}
                {...(question?.typeToConfirm === undefined && { 'data-autofocus': true })}
              >
                {question?.confirmLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </AskContext>
  )
}
