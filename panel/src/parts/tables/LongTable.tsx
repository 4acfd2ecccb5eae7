import { useState } from 'react'
import { DataTable, type DataTableProps } from './DataTable.tsx'
import { MoreButton } from './MoreButton.tsx'

const rowsAtFirst = 50
const rowsMore = 200

/** For lists that come whole and may have a thousand rows: drawing all of them at once takes seconds. */
export function LongTable<Row>({ rows, ...table }: DataTableProps<Row>) {
  const [shown, setShown] = useState(rowsAtFirst)
  const rest = {
    hasNextPage: shown < rows.length,
    isFetchingNextPage: false,
    fetchNextPage: () => setShown(shown + rowsMore),
  }
  return (
    <>
      <DataTable {...table} rows={rows.slice(0, shown)} />
      <MoreButton of={rest} />
    </>
  )
}
