import { Text } from '@mantine/core'
import { Explained } from '#parts/Explained.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { type Judged, judgeOutcome } from './judge-outcome.ts'
import { sayOutcome } from './say-outcome.ts'
import classes from './Verdict.module.css'

/** Did it work? The first line of the page of a message or a campaign. */
export function Verdict({ message }: { message: Judged }) {
  const texts = useTexts()
  const format = useFormat()
  const outcome = judgeOutcome(message, Date.now())
  const { reach, opens, against } = sayOutcome(outcome, texts, format)
  const { verdict, openedHint } = texts.messages
  const { usual } = message
  return (
    <Text component="p" className={classes.verdict} data-verdict>
      {reach}
      {opens !== undefined && (
        <>
          {verdict.between}
          <Explained text={openedHint}>{opens}</Explained>
        </>
      )}
      {against !== undefined && usual && (
        <>
          {verdict.comma}
          <Explained
            text={
              <>
                {verdict.usualHint(format.percent(usual.openShare), format.number(usual.messages))}
                {outcome.against?.side === 'near' && ` ${verdict.nearHint}`}
              </>
            }
          >
            {against}
          </Explained>
        </>
      )}
      {verdict.end}
    </Text>
  )
}
