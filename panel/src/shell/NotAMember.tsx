import { Button, Center, Stack } from '@mantine/core'
import type { Session } from '@peyk/contract'
import { IconApps } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts/EmptyState.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { SignOutButton } from './SignOutButton.tsx'

export function NotAMember({ appId, session }: { appId?: string; session: Session }) {
  const { shell } = useTexts()
  return (
    <Center mih="80vh" component="main">
      <EmptyState
        isPage
        icon={IconApps}
        title={appId === undefined ? shell.noApps : shell.unknownApp}
        text={appId === undefined ? shell.noAppsText : shell.unknownAppText(appId)}
        action={
          <Stack gap="xs">
            {session.apps.map((app) => (
              <Button
                key={app.appId}
                variant="default"
                renderRoot={(props) => <Link {...props} to="/$app/overview" params={{ app: app.appId }} />}
              >
                {app.name}
              </Button>
            ))}
            <SignOutButton />
          </Stack>
        }
      />
    </Center>
  )
}
