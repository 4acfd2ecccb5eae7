import { Alert } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Loading } from '../../parts/Loading.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { AddPhone } from './AddPhone.tsx'
import { Crowd } from './Crowd.tsx'
import { FaultPresets } from './FaultPresets.tsx'
import { PhoneCard } from './PhoneCard.tsx'
import classes from './PhonesPage.module.css'
import { usePhones } from './use-phones.ts'

/** The simulator's phones: what is sent shows up on them as on real ones. */
export function PhonesPage() {
  const { phones: words, shell } = useTexts()
  const { hasPhones } = useApp()
  if (hasPhones) return <Shelf />
  return (
    <>
      <PageHead title={shell.phones} />
      <Panel>
        <EmptyState icon={IconDeviceMobile} title={words.notHere} text={words.notHereText} />
      </Panel>
    </>
  )
}

function Shelf() {
  const { phones: words, shell } = useTexts()
  const { may } = useApp()
  const { phones, isCut } = usePhones()
  return (
    <>
      <PageHead
        title={shell.phones}
        lead={may('operate') ? words.lead : words.leadForWatchers}
        actions={may('operate') && <AddPhone />}
      />
      {isCut && (
        <Alert color="orange" mb="md" role="status">
          {words.cut}
        </Alert>
      )}
      {may('operate') && <Crowd />}
      {phones === undefined && !isCut && <Loading rows={2} height={240} />}
      {phones?.length === 0 && (
        <EmptyState
          icon={IconDeviceMobile}
          title={words.none}
          text={may('operate') && words.noneText}
          {...(may('operate') && { action: <AddPhone /> })}
        />
      )}
      <div className={classes.shelf}>
        {phones?.map((phone) => (
          <PhoneCard key={phone.id} phone={phone} />
        ))}
      </div>
      {may('operate') && <FaultPresets />}
    </>
  )
}
