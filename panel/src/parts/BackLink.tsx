import { Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { AppLink } from './AppLink.tsx'
import classes from './BackLink.module.css'

/** Above a page's title: the list that it belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <AppLink to={to} size="sm">
      <Group gap={4} component="span" display="inline-flex">
        <IconArrowLeft size={14} className={classes.arrow} aria-hidden />
        {children}
      </Group>
    </AppLink>
  )
}
