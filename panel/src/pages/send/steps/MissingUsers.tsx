import { Text } from '@mantine/core'
import type { ReceiverCount } from '@peyk/contract'
import { Fragment } from 'react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'

type Missing = Pick<ReceiverCount, 'unknown' | 'unreached'>

/** Of the users who were named, those who get nothing: their number and the first few of them. */
export function MissingUsers({ unknown, unreached }: Missing) {
  const { count: texts } = useTexts().send
  const format = useFormat()
  return (
    <>
      {unknown && unknown.count > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {texts.unknown(unknown.count, format.number(unknown.count))} <Ids {...unknown} />
        </Text>
      )}
      {unreached && unreached.count > 0 && (
        <Text size="sm" c="dimmed">
          {texts.unreached(unreached.count, format.number(unreached.count))} <Ids {...unreached} />
        </Text>
      )}
    </>
  )
}

const shown = 5

/** The first few of some ids. */
export function Ids({ count, first }: NonNullable<Missing['unknown']>) {
  const { count: texts } = useTexts().send
  return (
    <>
      {first.slice(0, shown).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && texts.between}
          <bdi style={{ display: 'inline-block' }}>{id}</bdi>
        </Fragment>
      ))}
      {count > shown && texts.more}
    </>
  )
}
