import { Box, type BoxProps, Group, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, useContext } from 'react'
import classes from './Panel.module.css'

interface PanelProps extends BoxProps {
  title?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  /** The content goes to the edges: a table. */
  flush?: boolean
  order?: 2 | 3
}

/** The level of a heading that stands here: below the page's own, and below that of the panel it is in. */
export const HeadingLevel = createContext<2 | 3 | 4>(2)

/** A surface with a title: what pages are made of. */
export function Panel({ title, lead, actions, children, flush = false, order = 2, ...box }: PanelProps) {
  const level = useContext(HeadingLevel)
  return (
    <Box component="section" className={classes.panel} data-flush={flush || undefined} {...box}>
      {(title !== undefined || actions !== undefined) && (
        <Group justify="space-between" align="flex-start" gap="sm" className={classes.head} wrap="wrap">
          <div className={classes.words}>
            <Title order={order} size="h5">
              {title}
            </Title>
            {lead !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {lead}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <HeadingLevel value={title === undefined ? level : ((order + 1) as 3 | 4)}>{children}</HeadingLevel>
    </Box>
  )
}
