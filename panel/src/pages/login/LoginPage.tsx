import { Center, Stack, Text, Title } from '@mantine/core'
import icon from '../../icon.svg'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { LoginForm } from './LoginForm.tsx'

export function LoginPage() {
  const { login } = useTexts()
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400}>
        <Stack align="center" gap="xs">
          <img src={icon} alt="" width={48} height={48} />
          <Title order={1} size="h3">
            {login.title}
          </Title>
        </Stack>
        <Panel p="lg">
          <LoginForm />
        </Panel>
        <Text size="sm" c="dimmed" ta="center">
          {login.forgotten}
        </Text>
      </Stack>
    </Center>
  )
}
