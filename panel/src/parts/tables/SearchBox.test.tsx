import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../testing/show.test-support.tsx'
import { SearchBox } from './SearchBox.tsx'

function Searching({ onAsk }: { onAsk(text: string): void }) {
  const [value, setValue] = useState('')
  const ask = (text: string) => {
    onAsk(text)
    setValue(text)
  }
  return (
    <>
      <SearchBox label="Search users" hint="Name or id" value={value} onChange={ask} />
      <button type="button" onClick={() => setValue('omid')}>
        Back
      </button>
    </>
  )
}

async function open() {
  const asked: string[] = []
  const { user } = await show(<Searching onAsk={(text) => asked.push(text)} />)
  return { user, asked, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Search users' }) }
}

it('it asks once when somebody stops typing, without the spaces around', async () => {
  const { user, asked, field } = await open()
  await user.type(field, ' sara ')
  await waitFor(() => expect(asked).toEqual(['sara']))
  expect(field.value).toBe(' sara ')
})

it('it is cleared by its button, and follows the address', async () => {
  const { user, asked, field } = await open()
  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(field.value).toBe('omid')
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(asked).toEqual(['']))
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
})
