import { Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { AppLink, type Search } from './AppLink.tsx'
import classes from './BackLink.module.css'

/** Above a page's title: the list that it belongs to. */
export function BackLink({ to, search, children }: { to: string; search?: Search; children: string }) {
  return (
    <AppLink to={to} {...(search && { search })} size="sm">
      <Group gap={4} component="span" display="inline-flex">
        <IconArrowLeft size={14} className={classes.arrow} aria-hidden />
        {children}
      </Group>
    </AppLink>
  )
}
