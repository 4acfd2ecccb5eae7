import { Box, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Explained.module.css'

/** Something with an explanation, for the pointer, the keyboard and the finger. */
export function Explained({ text, children }: { text: ReactNode; children: ReactNode }) {
  if (!text) return children
  return (
    <Tooltip label={text} multiline maw={300} events={{ hover: true, focus: true, touch: true }}>
      <Box component="span" tabIndex={0} className={classes.explained}>
        {children}
      </Box>
    </Tooltip>
  )
}
