import { expect, it } from 'vitest'
import { theme, variables } from './theme.ts'

it('writes what is dangerous in red in the dark, too', () => {
  const { dark } = variables(theme as never)
  expect(dark['--mantine-color-red-light-color']).toBe('var(--mantine-color-red-4)')
})
