import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../testing/show.test-support.tsx'
import { type Question, useConfirm } from './Confirm.tsx'

const question = { title: 'Delete it?', text: 'It is gone then.', confirmLabel: 'Delete it', danger: true }

function Asking({ asked, onAnswer }: { asked: Question; onAnswer(answer: boolean): void }) {
  const confirm = useConfirm()
  return (
    <button type="button" onClick={async () => onAnswer(await confirm(asked))}>
      Ask
    </button>
  )
}

async function ask(asked: Question) {
  const answers: boolean[] = []
  const { user } = await show(<Asking asked={asked} onAnswer={(answer) => answers.push(answer)} />)
  await user.click(screen.getByRole('button', { name: 'Ask' }))
  await screen.findByRole('dialog', { name: asked.title })
  return { user, answers }
}

it('yes is the answer only when it is pressed', async () => {
  const { user, answers } = await ask(question)
  expect(screen.getByText('It is gone then.')).toBeTruthy()
  expect(answers).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Delete it' }))
  await waitFor(() => expect(answers).toEqual([true]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it.each([
  ['the other button', 'Cancel'],
  ['the cross', 'Close'],
])('%s means no', async (_, name) => {
  const { user, answers } = await ask(question)
  await user.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(answers).toEqual([false]))
})

it('Escape means no, and the focus goes back to where it was', async () => {
  const { user, answers } = await ask(question)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(answers).toEqual([false]))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ask' })))
})

it('what must be typed must be typed, also before Enter confirms', async () => {
  const { user, answers } = await ask({ ...question, typeToConfirm: '120' })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete it' })
  const field = screen.getByRole('textbox', { name: 'Type 120 to confirm' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(button.disabled).toBe(true)
  await user.keyboard('12{Enter}')
  expect(button.disabled).toBe(true)
  expect(answers).toEqual([])
  await user.keyboard('0{Enter}')
  await waitFor(() => expect(answers).toEqual([true]))
})
