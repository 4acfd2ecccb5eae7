import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

type Values = Record<string, string | undefined>

/** What the page's address says behind the question mark, as text, and a way to change it: reload and back keep it. */
export function usePageSearch(): [Values, (changes: Values) => void] {
  const found = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const values: Values = {}
  for (const [name, value] of Object.entries(found)) values[name] = typeof value === 'string' ? value : String(value)
  const change = useCallback(
    (changes: Values) => {
      void navigate({
        to: '.',
        search: ((old: object) => ({ ...old, ...changes })) as never,
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [values, change]
}
