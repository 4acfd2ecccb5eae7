import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useArrivals } from './arrivals.ts'
import classes from './DataTable.module.css'
import { Scrollable } from './Scrollable.tsx'

export interface Column<Row> {
  key: string
  /** Empty for what can be done with a row: that needs no head but for those who do not see it. */
  label: ReactNode
  cell(row: Row): ReactNode
  /** Numbers stand at the end of their column. */
  isNumber?: boolean
  width?: string | number
  /** Not shown where the screen is narrow. */
  isExtra?: boolean
}

export interface DataTableProps<Row> {
  /** What the table is of, for those who do not see it. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  /** Instead of rows, when there are none. */
  empty?: ReactNode
  onRow?: ((row: Row) => void) | undefined
}

/** Rows of a list. A row that leads somewhere has a link in its first cell; clicking elsewhere in it is the same. */
export function DataTable<Row>({ label, columns, rows, rowKey, empty, onRow }: DataTableProps<Row>) {
  const { common } = useTexts()
  const arrived = useArrivals(rows.map(rowKey))
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <Scrollable label={label}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover={onRow !== undefined} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, label: head, isNumber, width, isExtra }) => (
              <Table.Th
                key={key}
                {...(width !== undefined && { w: width })}
                data-number={isNumber || undefined}
                data-extra={isExtra || undefined}
                className={classes.cell}
              >
                {head === '' ? <VisuallyHidden>{common.actions}</VisuallyHidden> : head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={rowKey(row)}
              data-link={onRow !== undefined || undefined}
              data-arrived={arrived.has(rowKey(row)) || undefined}
              className={classes.row}
              {...(onRow && {
                onClick: (event) => {
                  if ((event.target as HTMLElement).closest('a, button, input, [role="menu"]') === null) onRow(row)
                },
              })}
            >
              {columns.map(({ key, cell, isNumber, isExtra }) => (
                <Table.Td
                  key={key}
                  data-number={isNumber || undefined}
                  data-extra={isExtra || undefined}
                  className={classes.cell}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrollable>
  )
}
