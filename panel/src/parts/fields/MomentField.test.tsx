import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../testing/show.test-support.tsx'
import { MomentField } from './MomentField.tsx'

function Choosing({ start, onChange }: { start: unknown; onChange(value: string | undefined): void }) {
  const [at, setAt] = useState(start)
  const change = (next: string | undefined) => {
    onChange(next)
    setAt(next)
  }
  return <MomentField label="At" value={at} onChange={change} />
}

async function field(value: unknown, language: 'en' | 'fa' = 'en') {
  const chosen: (string | undefined)[] = []
  await show(<Choosing start={value} onChange={(next) => chosen.push(next)} />, { language })
  return { input: screen.getByLabelText<HTMLInputElement>('At'), chosen }
}

it('a moment is shown and chosen on the clock of the member', async () => {
  const { input, chosen } = await field('2026-11-20T05:30:00.000Z')
  expect(input.value).toBe('2026-11-20T09:00')
  fireEvent.change(input, { target: { value: '2026-12-01T00:15' } })
  expect(chosen).toEqual(['2026-11-30T20:45:00.000Z'])
  expect(input.value).toBe('2026-12-01T00:15')
})

it('a moment that is not whole is none', async () => {
  const { input, chosen } = await field('2026-11-20T05:30:00.000Z')
  fireEvent.change(input, { target: { value: '' } })
  expect(chosen).toEqual([undefined])
  expect(input.value).toBe('')
})

it('in Persian, the moment stands below in the calendar of Iran, and nothing stands below in English', async () => {
  const { input } = await field('2026-11-20T05:30:00.000Z', 'fa')
  expect(input.value).toBe('2026-11-20T09:00')
  const description = document.getElementById(input.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe('۲۹ آبان ۱۴۰۵، ۹:۰۰')
})
