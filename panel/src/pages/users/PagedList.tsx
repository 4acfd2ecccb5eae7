import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Fault } from '../../parts/Fault.tsx'
import { Loading } from '../../parts/Loading.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'

interface PagedListProps<Item> {
  of: UseInfiniteQueryResult<InfiniteData<{ data: Item[]; cursor?: string }>>
  empty: ReactNode
  children(items: Item[]): ReactNode
}

/** A list that goes on: what came so far, and a button for more. */
export function PagedList<Item>({ of: pages, empty, children }: PagedListProps<Item>) {
  const items = pages.data?.pages.flatMap(({ data }) => data)
  if (items === undefined) {
    return pages.isError ? <Fault error={pages.error} onRetry={() => void pages.refetch()} /> : <Loading />
  }
  return (
    <>
      {items.length === 0 && !pages.hasNextPage ? empty : children(items)}
      {pages.isError && <Fault error={pages.error} onRetry={() => void pages.fetchNextPage()} />}
      <MoreButton of={pages} />
    </>
  )
}
