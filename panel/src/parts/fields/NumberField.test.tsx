import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../testing/show.test-support.tsx'
import { NumberField } from './NumberField.tsx'

interface Limits {
  min?: number
  max?: number
  isWhole?: boolean
}

function Choosing({ onChange, ...limits }: Limits & { onChange(value: number | undefined): void }) {
  const [value, setValue] = useState<number>()
  const change = (next: number | undefined) => {
    onChange(next)
    setValue(next)
  }
  return <NumberField label="Days" value={value} onChange={change} {...limits} />
}

async function field(limits: Limits, language: 'en' | 'fa' = 'en') {
  const chosen: (number | undefined)[] = []
  const { user } = await show(<Choosing {...limits} onChange={(next) => chosen.push(next)} />, { language })
  return { user, input: screen.getByRole<HTMLInputElement>('textbox', { name: 'Days' }), chosen }
}

it('what cannot be part of the number is not typed', async () => {
  const { user, input, chosen } = await field({ min: 0, isWhole: true })
  await user.type(input, '-1x.2')
  expect(input.value).toBe('12')
  expect(chosen.at(-1)).toBe(12)
})

it('a number out of bounds is put within them when the field is left, not while it is typed', async () => {
  const { user, input, chosen } = await field({ min: 1, max: 30 })
  await user.type(input, '400')
  expect(chosen.at(-1)).toBe(400)
  await user.tab()
  expect(input.value).toBe('30')
  expect(chosen.at(-1)).toBe(30)
})

it('the arrow keys count up and down, and stop at the bounds', async () => {
  const { user, input } = await field({ min: 1, max: 3 })
  await user.type(input, '2{ArrowUp}{ArrowUp}')
  expect(input.value).toBe('3')
  await user.type(input, '{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(input.value).toBe('1')
})

it('in Persian, digits of both scripts are typed and Persian ones are shown', async () => {
  const { user, input, chosen } = await field({ isWhole: true }, 'fa')
  await user.type(input, '1۲3')
  expect(input.value).toBe('۱۲۳')
  expect(chosen.at(-1)).toBe(123)
})
