import { Badge, Box, Button, Group, Menu, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useApp } from '../api/use-app.ts'
import { useSession } from '../api/use-session.ts'
import icon from '../icon.svg'
import developmentIcon from '../icon-development.svg'
import { useTexts } from '../texts/LanguageProvider.tsx'
import classes from './AppFrame.module.css'
import { rememberApp } from './last-app.ts'

/** The app that is shown, and the way to the member's others. */
export function AppSwitch() {
  const current = useApp()
  const { shell } = useTexts()
  const apps = useSession().data?.apps ?? []
  rememberApp(current.appId)
  const name = (
    <Group gap="xs" wrap="nowrap">
      <img src={current.isDevelopment ? developmentIcon : icon} alt="" width={26} height={26} />
      <Text fw={650} truncate dir="auto" maw={{ base: 130, xs: 260 }}>
        {current.name}
      </Text>
      <Environment isDevelopment={current.isDevelopment} />
    </Group>
  )
  if (apps.length < 2) return name
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          rightSection={<IconSelector size={16} />}
          aria-label={`${current.name}: ${shell.switchApp}`}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {apps.map((app) => (
          <Menu.Item
            key={app.appId}
            renderRoot={(props) => <Link {...props} to="/$app/overview" params={{ app: app.appId }} />}
            rightSection={app.appId === current.appId ? <IconCheck size={16} /> : undefined}
          >
            {app.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Where what is done here takes effect. Where it is narrow, a dot says it. */
function Environment({ isDevelopment }: { isDevelopment: boolean }) {
  const { shell } = useTexts()
  const name = isDevelopment ? shell.development : shell.production
  const color = isDevelopment ? 'orange' : 'gray'
  return (
    <>
      <Badge variant="dot" radius="sm" fw={500} fz={12} tt="none" color={color} flex="none" visibleFrom="xs">
        {name}
      </Badge>
      <Tooltip label={name} events={{ hover: true, focus: true, touch: true }}>
        <Box component="span" className={classes.dot} bg={color} hiddenFrom="xs" role="img" aria-label={name} />
      </Tooltip>
    </>
  )
}
