import { Box } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NoAnswer } from '../api/call.ts'
import { Fault } from './Fault.tsx'
import { Loading } from './Loading.tsx'

interface AnswerProps<T> {
  of: UseQueryResult<T>
  children: (data: T) => ReactNode
  loading?: ReactNode
}

/** What a question brought: skeleton, fault with a way to try again, or the answer. An old answer stays while a new one comes. */
export function Answer<T>({ of: result, children, loading = <Loading /> }: AnswerProps<T>) {
  if (result.data !== undefined) {
    // That the service does not answer is said above every page.
    const isSaidHere = result.isError && !(result.error instanceof NoAnswer)
    return (
      <>
        {isSaidHere && (
          <Box mb="md">
            <Fault error={result.error} onRetry={() => void result.refetch()} />
          </Box>
        )}
        {children(result.data)}
      </>
    )
  }
  if (result.isError) return <Fault error={result.error} onRetry={() => void result.refetch()} />
  return loading
}
