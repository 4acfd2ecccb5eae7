import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconChartBar, IconGift } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import icon from '../../icon.svg'
import { useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'
import { type Language, languages } from '../../texts/languages.ts'
import { LoginForm } from './LoginForm.tsx'
import classes from './LoginPage.module.css'

/** The first thing people see: `children` instead of the form for whoever came by a link. */
export function LoginPage({ title, text, children }: { title?: string; text?: ReactNode; children?: ReactNode }) {
  const { login } = useTexts()
  const shown = title ?? login.title
  useEffect(() => {
    document.title = `${shown} · Peyk`
  }, [shown])
  return (
    <div className={classes.page}>
      <main className={classes.form}>
        <div className={classes.middle}>
          <Stack className={classes.box as string} gap="lg">
            <img src={icon} alt="" width={52} height={52} />
            <div>
              <Title order={1} size="h2">
                {shown}
              </Title>
              <Text c="dimmed" mt={4} component="div">
                {text ?? login.lead}
              </Text>
            </div>
            {children ?? (
              <>
                <LoginForm />
                <Text size="sm" c="dimmed">
                  {login.forgotten}
                </Text>
              </>
            )}
          </Stack>
        </div>
        <LanguageSwitch />
      </main>
      <Art />
    </div>
  )
}

function LanguageSwitch() {
  const { language, speak } = useLanguage()
  const { shell } = useTexts()
  return (
    <Group justify="center" gap="md" component="nav" aria-label={shell.language}>
      {(Object.keys(languages) as Language[]).map((name) => (
        <Anchor
          key={name}
          component="button"
          type="button"
          size="sm"
          lang={name}
          {...(name === language ? { fw: 650, 'aria-current': 'true' } : { c: 'dimmed' })}
          onClick={() => speak(name)}
        >
          {languages[name].name}
        </Anchor>
      ))}
    </Group>
  )
}

const signs = [IconBell, IconGift, IconChartBar]

/** What the product does, at a glance; nothing that has to be read. */
function Art() {
  const { login } = useTexts()
  return (
    <div className={classes.art} aria-hidden>
      <div className={classes.claim}>{login.claim}</div>
      <div className={classes.cards}>
        {login.cards.map(([title, text], index) => {
          const Sign = signs[index] ?? IconBell
          return (
            <div key={title} className={classes.card}>
              <span className={classes.sign}>
                <Sign size={22} stroke={1.8} />
              </span>
              <div>
                <div className={classes.cardTitle}>{title}</div>
                <div className={classes.cardText}>{text}</div>
              </div>
            </div>
          )
        })}
      </div>
    </div>
  )
}
